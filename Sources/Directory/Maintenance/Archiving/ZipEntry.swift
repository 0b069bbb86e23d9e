import FileSystem
import Foundation

/// A file or a folder in an archive.
///
/// The format is that of PKWARE's "APPNOTE.TXT – .ZIP File Format Specification", version 6.3.10, sections 4.3 to 4.5:
/// entries that are stored without compression, with names in UTF-8 and 64-bit fields where 32 bits are too few.
struct ZipEntry {
    /// The path from the top of the archive.
    var path: FolderPath
    var isFolder = false
    /// The permission bits.
    var mode: UInt16
    /// The seconds since 1970.
    var modified: Int
    var size = 0
    var checksum: UInt32 = 0
    /// The position of its local header.
    var offset = 0
}

/// From these values on, a number is written in its 64-bit form.
struct ZipLimits {
    var field32 = 0xFFFF_FFFF
    var field16 = 0xFFFF
}

/// The signatures of the records of an archive, and the numbers of extra fields.
enum ZipSignature {
    static let local: UInt32 = 0x0403_4B50
    static let central: UInt32 = 0x0201_4B50
    static let end: UInt32 = 0x0605_4B50
    static let end64: UInt32 = 0x0606_4B50
    static let locator64: UInt32 = 0x0706_4B50
    static let sizes64: UInt16 = 0x0001
    /// The time of the last write, of Info-ZIP.
    static let time: UInt16 = 0x5455
}

extension ZipEntry {
    /// Why some programs would take `path` for another one; nil if all read it in the same way.
    static func fault(of path: FolderPath) -> String? {
        if path.contains(where: \.hasBackslash) { return backslash(in: path.text) }
        if let drive = path.first?.bytes, drive.count == 2, drive[1] == UInt8(ascii: ":"),
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= drive[0] & 0xDF
        {
            return "the name \(path.text) in it begins with a drive"
        }
        return nil
    }

    /// The fault of a name in which a program has perhaps joined the names of folders with backslashes.
    static func backslash(in name: String) -> String {
        "the name \(name) in it has a backslash, which stands for a slash or is a part of the name"
    }
}

extension ZipEntry {
    /// The version of the format that has 64-bit fields, and that of one which has folders.
    private static let (version64, version): (UInt16, UInt16) = (45, 20)
    /// Unix made the attributes.
    private static let unix: UInt16 = 3 << 8
    /// The name is in UTF-8.
    private static let utf8: UInt16 = 1 << 11
    /// The most names and bytes that a path can have; a field of 16 bits holds the number of bytes.
    static let (maximumDepth, maximumLength) = (256, 0xFFFF)
    /// The position of the checksum in the local header.
    static let checksumOffset = 14

    /// The name in the archive; that of a folder ends with a slash.
    private var name: [UInt8] {
        Array(path.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
            + (isFolder ? [UInt8(ascii: "/")] : [])
    }

    /// The header before the bytes of the file.
    func localHeader(_ limits: ZipLimits) -> [UInt8] {
        let isLarge = size >= limits.field32
        var extra = timeField
        if isLarge { extra.append(field: ZipSignature.sizes64, of: [size, size]) }
        var bytes: [UInt8] = []
        bytes.append(little: ZipSignature.local)
        bytes.append(little: isLarge ? Self.version64 : Self.version)
        append(to: &bytes, isLarge ? nil : size, extra)
        return bytes + name + extra
    }

    /// Its record in the directory at the end of the archive.
    func centralHeader(_ limits: ZipLimits) -> [UInt8] {
        let large = [size, size, offset].filter { $0 >= limits.field32 }
        var extra = timeField
        if !large.isEmpty { extra.append(field: ZipSignature.sizes64, of: large) }
        var bytes: [UInt8] = []
        bytes.append(little: ZipSignature.central)
        bytes.append(little: Self.unix | Self.version64)
        bytes.append(little: large.isEmpty ? Self.version : Self.version64)
        append(to: &bytes, size >= limits.field32 ? nil : size, extra)
        // No comment; the first disk; no internal attributes.
        for _ in 0..<3 { bytes.append(little: UInt16(0)) }
        let kind: UInt32 = isFolder ? 0o040000 : 0o100000
        // The low bits are those of MS-DOS.
        bytes.append(little: (kind | UInt32(mode & 0o7777)) << 16 | (isFolder ? 0x10 : 0))
        bytes.append(little: UInt32(offset >= limits.field32 ? 0xFFFF_FFFF : offset))
        return bytes + name + extra
    }

    /// Appends the fields that both headers have; the size is nil if a 64-bit field has it.
    private func append(to bytes: inout [UInt8], _ size: Int?, _ extra: [UInt8]) {
        bytes.append(little: Self.utf8)
        bytes.append(little: UInt16(0))  // Stored, not compressed.
        bytes.append(little: dosTime)
        bytes.append(little: checksum)
        for _ in 0..<2 { bytes.append(little: size.map(UInt32.init) ?? 0xFFFF_FFFF) }
        bytes.append(little: UInt16(name.count))
        bytes.append(little: UInt16(extra.count))
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private var timeField: [UInt8] {
        guard let time = Int32(exactly: modified) else { return [] }
        var field: [UInt8] = []
        field.append(little: ZipSignature.time)
        field.append(little: UInt16(5))
        field.append(1)
        field.append(little: UInt32(bitPattern: time))
        return field
    }

    /// The date and the time, in UTC, in steps of two seconds; dates before 1980 and after 2107 cannot be written.
    private var dosTime: UInt32 {
        let parts = Self.calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(modified)))
        let year = min(max((parts.year ?? 0) - 1980, 0), 127)
        let date = year << 9 | (parts.month ?? 1) << 5 | (parts.day ?? 1)
        let time = (parts.hour ?? 0) << 11 | (parts.minute ?? 0) << 5 | (parts.second ?? 0) / 2
        return UInt32(date << 16 | time)
    }
}

extension [UInt8] {
    mutating func append(little value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends an extra field of 64-bit numbers.
    fileprivate mutating func append(field: UInt16, of values: [Int]) {
        append(little: field)
        append(little: UInt16(8 * values.count))
        for value in values { append(little: UInt64(value)) }
    }
}
