/// An open file or folder, closed when the last reference to it is released.
package final class Handle: Sendable {
    /// The file system's own number for the open file.
    package let descriptor: Int32
    /// The path of the file when it was opened, for messages.
    package let path: String
    private let onClose: @Sendable (Int32) -> Void

    package init(descriptor: Int32, path: String, onClose: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.path = path
        self.onClose = onClose
    }

    deinit { onClose(descriptor) }

    /// The path of `name` inside this folder, for messages.
    package func path(of name: FileName) -> String {
        path.hasSuffix("/") ? path + name.string : path + "/" + name.string
    }
}
