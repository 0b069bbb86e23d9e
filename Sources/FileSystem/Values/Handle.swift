import Synchronization

/// An open file or folder, closed when the last reference to it is released.
package final class Handle: Sendable {
    /// The file system's own number for the open file.
    package let descriptor: Int32
    /// The path of the file when it was opened, for messages.
    package let path: String
    /// The id of the process that locked the file first; 0 if none has.
    let locker = Atomic<Int32>(0)
    private let onClose: @Sendable (_ descriptor: Int32, _ locker: Int32) -> Void

    package init(
        descriptor: Int32, path: String,
        onClose: @escaping @Sendable (_ descriptor: Int32, _ locker: Int32) -> Void
    ) {
        self.descriptor = descriptor
        self.path = path
        self.onClose = onClose
    }

    deinit { onClose(descriptor, locker.load(ordering: .relaxed)) }

    /// The path of `name` inside this folder, for messages.
    package func path(of name: FileName) -> String {
        path.hasSuffix("/") ? path + name.string : path + "/" + name.string
    }
}
