import FileSystem
import Foundation
import JSONCodec

/// The files that one commit moves or removes besides the index, written to disk before the first
/// of them moves.
///
/// An intent lists the files, not the next step: a recovery compares each name with the index and
/// puts the file where the index says. So it does not matter where the writer died, nor whether its
/// commit took place. Removed folders are not written down: their place in `.trash` says enough.
struct Intent: Codable, Hashable, Sendable {
    /// A staged file and the name it gets in the assets folder.
    struct Import: Codable, Hashable, Sendable {
        var staged: FileName
        var asset: FileName
    }

    /// A container's folder that gets another name.
    struct Rename: Codable, Hashable, Sendable {
        var from: FileName
        var to: FileName
    }

    var imports: [Import] = []
    var renamedFolders: [Rename] = []
    var removedFolders: [FileName] = []
    var removedFiles: [FileName] = []
    /// What moves to or from another index; if there is such a transfer, all else is empty.
    var transfer: Transfer?

    var isEmpty: Bool { self == Intent() }

    /// Whether there is anything to write down.
    var isForFile: Bool { self != Intent(removedFolders: removedFolders) }

    private enum CodingKeys: String, CodingKey {
        case imports, renamedFolders, removedFiles, transfer
    }

    /// The name of the file in the transaction's folder.
    static let fileName: FileName = "intent"
}

extension Intent {
    /// Items and their files on the way from one index to another, as seen from one of the two.
    ///
    /// Once both folders have the intent, the transfer takes place: any process can complete it.
    struct Transfer: Codable, Hashable, Sendable {
        /// Whether the items leave the index that has this intent.
        var isSource: Bool
        /// The relative path from this index's folder to the other's.
        var peerPath: String
        var peerIndex: String
        /// The items' lines.
        var items: [String]
        /// The names of the items' folders.
        var folders: [FileName]
        /// The names of the items' assets.
        var files: [FileName]

        /// The path of the other index's folder if this index is at `path`, which has no links in it.
        func peerPath(from path: String) -> String {
            let parts = peerPath.split(separator: "/").reduce(into: path.split(separator: "/")) {
                parts, part in
                if part == ".." { _ = parts.popLast() } else { parts.append(part) }
            }
            return "/" + parts.joined(separator: "/")
        }
    }
}

extension Intent {
    /// The bytes on disk: a line of JSON, and the CRC-32 of that line in a second one.
    func encoded() throws -> [UInt8] {
        var encoder = LineEncoder()
        try encoder.append(self)
        let line = Array(encoder.lines.joined())
        return line + Array("\n\(String(CRC32.checksum(of: line), radix: 16))\n".utf8)
    }

    /// The intent in `bytes`; nil if they are not complete.
    ///
    /// If they are not, nothing was done yet: an intent is synced before the first file moves.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard
            lines.count == 3,
            UInt32(String(decoding: lines[1], as: UTF8.self), radix: 16)
                == CRC32.checksum(of: lines[0]),
            let intent = try? LineDecoder.decode(Intent.self, from: Array(lines[0]))
        else { return nil }
        self = intent
    }
}
