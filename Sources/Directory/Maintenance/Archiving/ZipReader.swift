import FileSystem

/// The directory of an archive, every part of which was checked.
///
/// The archive may come from anywhere. No name leads out of the folder into which it is unpacked, no two entries have
/// the same name or share bytes, and no size is larger than the file.
struct ZipReader {
    let source: ImportSource
    /// In the order of their bytes in the archive.
    let entries: [Located]

    /// An entry, and where its bytes are.
    struct Located {
        let entry: ZipEntry
        let bytes: Range<Int>
    }

    /// The sizes of the fixed parts of the records.
    private enum Size {
        static let (local, central, end, end64, locator64) = (30, 46, 22, 56, 20)
    }

    /// In bytes: enough for some million entries, and read as a whole.
    private static let largestDirectory = 1 << 30

    /// Reads and checks the directory.
    ///
    /// - Throws: ``CopyDamage``, ``FileSystemError``.
    init(_ source: ImportSource) throws {
        self.source = source
        let directory = try Self.directory(of: source)
        var bytes = try Self.read(source, directory.bytes)
        var found: [ZipEntry] = []
        for _ in 0..<directory.count { found.append(try Self.entry(&bytes)) }
        guard bytes.isEmpty else { throw Self.damaged("its directory has more than its entries") }
        try Self.checkNames(of: found)
        var end = 0
        entries = try found.sorted { $0.offset < $1.offset }.map { entry in
            guard entry.offset >= end else { throw Self.damaged("two entries share bytes") }
            let start = try Self.startOfBytes(of: entry, source, directory.bytes.lowerBound)
            end = start + entry.size
            return Located(entry: entry, bytes: start..<end)
        }
    }
}

extension ZipReader {
    private static func damaged(
        _ reason: String, people: DirectoryError.Wording = .init()
    ) -> CopyDamage {
        CopyDamage(reason: reason, people: people)
    }

    /// The error of an archive that another program can unpack.
    private static func packed(_ reason: String, people words: String) -> CopyDamage {
        CopyDamage(
            reason: reason, remedy: "Unpack the archive, and use the folder.",
            people: .packed(words))
    }

    /// Reads the bytes of `range`, all of which the file must have.
    private static func read(_ source: ImportSource, _ range: Range<Int>) throws -> ZipBytes {
        guard range.lowerBound >= 0, range.upperBound <= source.status.size else {
            throw damaged("it is cut off")
        }
        let bytes = try source.fileSystem.read(
            source.handle, at: range.lowerBound, count: range.count)
        guard bytes.count == range.count else { throw damaged("it is cut off") }
        return ZipBytes(bytes)
    }

    /// Finds the directory by the record at the end, which may have a comment after it.
    private static func directory(of source: ImportSource) throws -> (bytes: Range<Int>, count: Int)
    {
        let size = source.status.size
        let tail = max(0, size - Size.end - 0xFFFF)
        let bytes = try read(source, tail..<size).rest
        let signature = withUnsafeBytes(of: ZipSignature.end.littleEndian, Array.init)
        let starts = stride(from: bytes.count - Size.end, through: 0, by: -1)
        let start = starts.first { start in
            bytes[start..<start + 4].elementsEqual(signature)
                && start + Size.end + Int(bytes[start + 20]) + Int(bytes[start + 21]) << 8
                    == bytes.count
        }
        guard let start else { throw try hasNoEnd(source) }
        var end = ZipBytes(Array(bytes[(start + 4)...]))
        let disks = try [end.number(2), end.number(2)]
        var (here, count) = (try end.number(2), try end.number(2))
        var (length, offset) = (try end.number(4), try end.number(4))
        var limit = tail + start
        if [here, count].contains(0xFFFF) || [length, offset].contains(0xFFFF_FFFF) {
            var locator = try read(source, limit - Size.locator64..<limit)
            guard try locator.number(4) == Int(ZipSignature.locator64) else {
                throw damaged("its end is damaged")
            }
            _ = try locator.number(4)
            limit = try locator.number(8)
            guard limit <= size - Size.end64 else { throw damaged("its end is damaged") }
            var end64 = try read(source, limit..<limit + Size.end64)
            guard try end64.number(4) == Int(ZipSignature.end64) else {
                throw damaged("its end is damaged")
            }
            try end64.skip(20)
            (here, count) = (try end64.number(8), try end64.number(8))
            (length, offset) = (try end64.number(8), try end64.number(8))
        }
        guard disks == [0, 0], here == count else {
            throw packed(
                "it has several parts", people: "it is one of several parts of an archive")
        }
        guard offset <= limit, length <= limit - offset, count <= length / Size.central else {
            throw damaged("the sizes in its directory are wrong")
        }
        guard length <= largestDirectory else { throw damaged("its directory is too large") }
        return (offset..<offset + length, count)
    }

    /// The error of a file without the record at the end: of an archive it is damage.
    private static func hasNoEnd(_ source: ImportSource) throws -> CopyDamage {
        var first = try read(source, 0..<min(4, source.status.size))
        let isArchive = try first.rest.count == 4 && first.number(4) == Int(ZipSignature.local)
        if isArchive { return damaged("it is cut off") }
        let start = try source.prefix(300)
        if otherArchives.contains(where: start.starts)
            || start.dropFirst(257).starts(with: "ustar".utf8)
        {
            return packed(
                "it is an archive of another kind than zip",
                people: "the app cannot read archives of this kind")
        }
        return damaged("it is no zip archive, or is cut off", people: .noArchive)
    }

    /// The first bytes of archives: gzip, bzip2, xz, Zstandard, 7z and RAR.
    private static let otherArchives: [[UInt8]] = [
        [0x1F, 0x8B], Array("BZh".utf8), [0xFD] + Array("7zXZ".utf8), [0x28, 0xB5, 0x2F, 0xFD],
        Array("7z".utf8) + [0xBC, 0xAF], Array("Rar!".utf8),
    ]

    /// Reads one record of the directory.
    private static func entry(_ bytes: inout ZipBytes) throws -> ZipEntry {
        guard try bytes.number(4) == Int(ZipSignature.central) else {
            throw damaged("its directory is damaged")
        }
        let madeBy = try bytes.number(2) >> 8
        try bytes.skip(2)
        let (flags, method) = (try bytes.number(2), try bytes.number(2))
        try bytes.skip(4)
        let checksum = try bytes.number(4)
        var sizes = [try bytes.number(4), try bytes.number(4)]
        let lengths = try [bytes.number(2), bytes.number(2), bytes.number(2)]
        try bytes.skip(4)
        let attributes = try bytes.number(4)
        sizes.append(try bytes.number(4))
        let name = try bytes.take(lengths[0])
        var extra = ZipBytes(try bytes.take(lengths[1]))
        try bytes.skip(lengths[2])
        guard let text = String(validating: name, as: UTF8.self) else {
            throw damaged("a name in it is not UTF-8", people: .unusableName)
        }
        guard flags & 1 == 0 else {
            throw packed("\(text) in it is encrypted", people: "the archive needs a password")
        }
        guard method == 0 else {
            throw packed("\(text) in it is compressed", people: "the archive is compressed")
        }
        try readExtra(&extra, &sizes)
        guard sizes[0] == sizes[1] else { throw damaged("the sizes of \(text) in it are wrong") }
        let isUnix = madeBy == 3
        let kind = isUnix ? attributes >> 28 : 0
        let isFolder = text.hasSuffix("/")
        // 0 says nothing, 4 is a folder, 8 a file.
        guard kind == 0 || kind == (isFolder ? 0o04 : 0o10) else {
            throw damaged(
                "\(text) in it is a link or a special file",
                people: .init(reason: "something in it is neither a file nor a folder"))
        }
        return ZipEntry(
            path: try path(text, isFolder), isFolder: isFolder,
            mode: isUnix ? UInt16(attributes >> 16 & 0o777) : 0, modified: 0, size: sizes[0],
            checksum: UInt32(checksum), offset: sizes[2])
    }

    /// Replaces the sizes that do not fit into 32 bits.
    private static func readExtra(_ extra: inout ZipBytes, _ sizes: inout [Int]) throws {
        while !extra.isEmpty {
            let kind = try extra.number(2)
            var field = ZipBytes(try extra.take(extra.number(2)))
            guard kind == Int(ZipSignature.sizes64) else { continue }
            // In the directory: the size, the compressed size, the offset.
            for index in [1, 0, 2] where sizes[index] == 0xFFFF_FFFF && !field.isEmpty {
                sizes[index] = try field.number(8)
            }
        }
    }

    private static func path(_ text: String, _ isFolder: Bool) throws -> FolderPath {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let names = (isFolder ? parts.dropLast() : parts[...]).map { FileName($0) }
        guard !names.isEmpty, !names.contains(nil) else {
            throw damaged(
                "it has an entry with the name \(text), which no file can get",
                people: .unusableName)
        }
        let path = names.compactMap(\.self)
        if let fault = ZipEntry.fault(of: path) { throw damaged(fault, people: .unusableName) }
        guard names.count <= ZipEntry.maximumDepth else {
            throw damaged(
                "it has more than \(ZipEntry.maximumDepth) folders in one another",
                people: .init(reason: "too many folders in it are in one another"))
        }
        return path
    }

    /// Checks that no two entries have one name, and that nothing is in a file.
    private static func checkNames(of entries: [ZipEntry]) throws {
        var files: Set<FolderPath> = []
        var folders: Set<FolderPath> = []
        for entry in entries {
            let isNew =
                entry.isFolder
                ? folders.insert(entry.path).inserted || !files.contains(entry.path)
                : files.insert(entry.path).inserted
            guard isNew else { throw hasTwice(entry.path) }
            var parent = entry.path.dropLast()
            while !parent.isEmpty, folders.insert(Array(parent)).inserted {
                parent = parent.dropLast()
            }
        }
        if let both = files.intersection(folders).first { throw hasTwice(both) }
    }

    static func hasTwice(_ path: FolderPath) -> CopyDamage {
        damaged("it has two entries with the name \(path.text)", people: .unusableName)
    }

    /// Finds the first byte of an entry, and checks that its bytes end before `limit`.
    private static func startOfBytes(of entry: ZipEntry, _ source: ImportSource, _ limit: Int)
        throws -> Int
    {
        let name = entry.path.text
        guard entry.offset <= limit - Size.local else {
            throw damaged("the place of \(name) in it is wrong")
        }
        var header = try read(source, entry.offset..<entry.offset + Size.local)
        guard try header.number(4) == Int(ZipSignature.local) else {
            throw damaged("the place of \(name) in it is wrong")
        }
        try header.skip(22)
        let start = try entry.offset + Size.local + header.number(2) + header.number(2)
        guard start <= limit, entry.size <= limit - start else {
            throw damaged("the size of \(name) in it is wrong")
        }
        return start
    }
}

/// Bytes of an archive that are read from their beginning.
struct ZipBytes {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws -> [UInt8] {
        guard count <= rest.count else { throw CopyDamage(reason: "its directory is cut off") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func skip(_ count: Int) throws { _ = try take(count) }

    /// Takes a number of `count` bytes; one that does not fit becomes the largest `Int`.
    mutating func number(_ count: Int) throws -> Int {
        Int(clamping: try take(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
