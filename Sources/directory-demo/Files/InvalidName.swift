import Foundation

/// A file name that is not valid UTF-8, which file systems of Linux allow.
struct InvalidName {
    let bytes: [UInt8]

    /// The reason why a file with this name cannot be used, as a sentence without its full stop.
    static let reason = "its name is not valid UTF-8"

    /// The name in printable ASCII, with any other byte and the backslash as `\xff`.
    var escaped: String {
        bytes.map { byte in
            let isPlain = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
            return isPlain ? String(Unicode.Scalar(byte)) : String(format: "\\x%02x", byte)
        }.joined()
    }

    /// The path of the file with this name in `folder`, as C functions take it.
    func path(in folder: URL) -> [CChar] {
        let folder = Array(folder.path(percentEncoded: false).utf8)
        return (folder + [UInt8(ascii: "/")] + bytes + [0]).map(CChar.init(bitPattern:))
    }

    /// The path of the file with this name in `folder`, for a person.
    func escapedPath(in folder: URL) -> String {
        folder.appending(path: escaped).path(percentEncoded: false)
    }
}
