import Foundation

/// The visible files and folders in a folder: readdir(3).
struct FolderListing {
    /// Those whose names are valid UTF-8, by name.
    let urls: [URL]
    /// The names of the others, which a URL cannot have, in the order of their bytes.
    let invalidNames: [InvalidName]

    var isEmpty: Bool { urls.isEmpty && invalidNames.isEmpty }

    /// Lists `folder`.
    ///
    /// - Throws: ``Failure`` with the path.
    init(of folder: URL) throws {
        let names = try Self.names(in: folder.path(percentEncoded: false))
            .filter { $0.first != UInt8(ascii: ".") }
            .sorted { $0.lexicographicallyPrecedes($1) }
        func text(_ name: [UInt8]) -> String? { String(validating: name, as: UTF8.self) }
        urls = names.compactMap(text).map { folder.appending(path: $0) }
        invalidNames = names.filter { text($0) == nil }.map(InvalidName.init)
    }

    private static func names(in path: String) throws -> [[UInt8]] {
        guard let stream = opendir(path) else { throw Failure.ofSystem("cannot list \(path)") }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            // An entry is shorter than its type: only the bytes up to the NUL may be read.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let count = strlen(start.assumingMemoryBound(to: CChar.self))
            names.append([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        }
        guard errno == 0 else { throw Failure.ofSystem("cannot list \(path)") }
        return names
    }
}

/// A file name that is not valid UTF-8, as file systems of Linux allow it.
struct InvalidName {
    let bytes: [UInt8]

    /// Why a file with this name cannot be used, as a sentence without its full stop.
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
