import Foundation

/// A file name that is not valid UTF-8, as file systems of Linux allow it.
struct InvalidName {
    private let bytes: [UInt8]

    /// Why a file with this name cannot be used, as a sentence without its full stop.
    static let reason = "its name is not valid UTF-8"

    /// - Returns: nil if `bytes` are valid UTF-8.
    private init?(_ bytes: [UInt8]) {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        self.bytes = bytes
    }

    /// The name in printable ASCII, with any other byte and the backslash as `\xff`.
    var escaped: String {
        bytes.map { byte in
            let isPlain = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
            return isPlain
                ? String(Unicode.Scalar(byte))
                : "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The name with the replacement character U+FFFD for what is invalid.
    var repaired: String { String(decoding: bytes, as: UTF8.self) }

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

extension InvalidName {
    /// The invalid names of visible files and folders in `folder`, in the order of their bytes:
    /// readdir(3).
    ///
    /// - Throws: ``Failure`` with the path.
    static func all(in folder: String) throws -> [InvalidName] {
        guard let stream = opendir(folder) else { throw failure(folder) }
        defer { closedir(stream) }
        var names: [InvalidName] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            // An entry is shorter than its type: only the bytes up to the NUL may be read.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let count = strlen(start.assumingMemoryBound(to: CChar.self))
            let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
            guard bytes.first != UInt8(ascii: "."), let name = InvalidName(bytes) else { continue }
            names.append(name)
        }
        guard errno == 0 else { throw failure(folder) }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private static func failure(_ folder: String) -> Failure {
        Failure(.operation, "cannot list \(folder): \(String(cString: strerror(errno)))")
    }
}
