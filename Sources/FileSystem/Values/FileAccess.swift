/// The access that an open file gives.
package enum FileAccess: Sendable, Hashable {
    /// Reading an existing file.
    case read
    /// Reading and writing an existing file.
    case update
    /// Reading and writing a new file; fails if the name is taken.
    case create(mode: UInt16)
    /// Reading and writing an existing file or a new one.
    case openOrCreate(mode: UInt16)
}
