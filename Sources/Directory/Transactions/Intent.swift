import FileSystem
import Foundation
import JSONCodec

/// The files that one commit moves or removes besides the index, written to disk before the first
/// of them moves, unless no other process sees the folder of the index yet.
///
/// An intent lists the files, not the next step: a recovery compares each name with the index and
/// puts the file where the index says. So it does not matter where the writer died, nor whether its
/// commit took place.
struct Intent: Codable, Hashable, Sendable {
    /// The folder of a container that the commit moves.
    struct Folder: Codable, Hashable, Sendable {
        /// The line of the item that owns the folder: after the commit, or before it if that removes the item.
        var item: String
        /// The line of the item before the commit, if it was different.
        var before: String?
        /// The name before the commit; nil if the folder is new or brought back.
        var from: FileName?
        /// The name after the commit; nil if the item is removed.
        var to: FileName?
        /// Whether the folder waits in the transaction's own folder for the commit.
        ///
        /// It is removed, new or brought back, or another item has one of its names. Other folders get their new names
        /// before the commit.
        var isParked = true
        /// The place of a kept folder that is brought back.
        var waiting: KeptPlace?

        /// Whether the commit makes it.
        var isNew: Bool { from == nil && waiting == nil }
    }

    /// The staged files, and the kept ones that are brought back, which move to the assets folder.
    var imports: [Move] = []
    var removedFiles: [FileName] = []
    /// The folders that move; a parked one is `folder-1` meanwhile if it is the first of them.
    var folders: [Folder] = []
    /// The items and files that can be brought back after the commit.
    var removal: RemovalRecord?
    /// The machine that began the commit; set when the intent is written.
    var machine: String?

    var isEmpty: Bool { self == Intent() }

    /// Whether a folder is removed.
    var removesFolder: Bool { folders.contains { $0.to == nil } }

    /// The names that the folders have before the commit or after it.
    var folderNames: [FileName] { folders.flatMap { [$0.from, $0.to].compactMap(\.self) } }

    /// The name of the file in the transaction's folder.
    static let fileName: FileName = "intent"

    /// The folders, each with its name in the transaction's folder (`slot`); nil for a folder that is not parked.
    var slots: [(slot: FileName?, folder: Folder)] {
        get throws {
            try folders.enumerated().map { number, folder in
                (folder.isParked ? try FileName(validating: "folder-\(number + 1)") : nil, folder)
            }
        }
    }

    /// The parked folders with their names in the transaction's folder.
    var parked: [(slot: FileName, folder: Folder)] {
        get throws { try slots.compactMap { slot, folder in slot.map { ($0, folder) } } }
    }
}

extension Intent.Folder {
    /// The folder of `element`, whose line is another one before the commit if `old` is given.
    init(
        of element: any IndexElement, before old: (any IndexElement)? = nil,
        from: FileName? = nil, to: FileName? = nil
    ) {
        item = String(decoding: element.line, as: UTF8.self)
        before =
            old?.line == element.line
            ? nil : old.map { String(decoding: $0.line, as: UTF8.self) }
        (self.from, self.to) = (from, to)
    }
}

extension Intent {
    /// The bytes on disk.
    func encoded() throws -> [UInt8] { try CheckedLine.encode(self) }

    /// Decodes the intent in `bytes`; nil if they are incomplete or in an unknown form.
    ///
    /// If they are incomplete, no file has moved: an intent is synced before the first move.
    init?(_ bytes: [UInt8]) {
        guard let intent = CheckedLine.decode(Self.self, from: bytes),
            intent.imports.allSatisfy({ $0.isWhole && !$0.from.isVisible && $0.to.assets != nil })
        else { return nil }
        self = intent
    }
}

/// A line of JSON with its checksum, which shows whether it is complete (``ChecksumLine``).
enum CheckedLine {
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        var encoder = LineEncoder()
        var bytes = Array(try encoder.line(of: value))
        bytes.append(UInt8(ascii: "\n"))
        ChecksumLine.append(to: &bytes)
        return bytes
    }

    /// The value in `bytes`; nil if they are incomplete or are something else.
    static func decode<Value: Decodable>(_: Value.Type, from bytes: [UInt8]) -> Value? {
        line(in: bytes).flatMap { try? LineDecoder.decode(Value.self, from: Array($0)) }
    }

    /// Whether `bytes` are a complete line with its checksum, of any type.
    static func isComplete(_ bytes: [UInt8]) -> Bool { line(in: bytes) != nil }

    private static func line(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard ChecksumLine.checksum(endOf: bytes[...]) != nil else { return nil }
        let line = bytes.dropLast(ChecksumLine.length)
        guard let last = line.indices.last, line.firstIndex(of: UInt8(ascii: "\n")) == last else {
            return nil
        }
        return line[..<last]
    }
}
