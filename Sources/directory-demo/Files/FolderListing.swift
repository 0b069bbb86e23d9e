import Foundation

/// The visible files and folders in a folder: readdir(3).
struct FolderListing {
    /// The files and folders whose names are valid UTF-8, in the order of their names.
    let urls: [URL]
    /// The names that are not valid UTF-8, which a URL cannot have, in the order of their bytes.
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
            // An entry can be shorter than `dirent`: only the bytes up to the NUL may be read.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let count = strlen(start.assumingMemoryBound(to: CChar.self))
            names.append([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        }
        guard errno == 0 else { throw Failure.ofSystem("cannot list \(path)") }
        return names
    }
}
