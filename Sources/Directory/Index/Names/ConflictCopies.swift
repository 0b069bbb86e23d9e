import FileSystem
import Foundation

/// Files that a sync engine makes when two devices have changed one file: one version keeps the name of the file, and
/// the other version gets a name that this type knows.
///
/// Such a file is never read as an index or a lock file.
enum ConflictCopies {
    /// `names` without the copies among them of indexes and their lock files; the folder has the names `all`, by default
    /// these.
    static func removed(from names: [FileName], among all: [FileName]? = nil) -> [FileName] {
        let wanted = names.filter { FileRole.index.matches($0) || FileRole.lock.matches($0) }
        let copies = find(in: wanted, among: all ?? names)
        if copies.isEmpty { return names }
        return names.filter { copies[$0] == nil }
    }

    /// The copies of `files` among `names`.
    static func of(_ files: [FileName], in names: [FileName]) -> [FileName] {
        let wanted = Set(files.map(\.string))
        return find(in: names, among: names).filter { wanted.contains($0.value) }.map(\.key)
    }

    /// The names among `names` that look like copies of others among `all`, each with the name of the original.
    ///
    /// A name with a number can also be that of an index, if there is a lock file or a folder of assets for
    /// it. Hidden files get no numbers from iCloud Drive.
    private static func find(
        in names: [FileName], among all: [FileName]
    ) -> [FileName: String] {
        lazy var known = Set(all.map(\.string))
        var found: [FileName: String] = [:]
        for name in names {
            guard let original = original(of: name) else { continue }
            let stem = FileRole.index.stem(of: name)
            let more = try? stem.map { [$0, try FileRole.lock.name($0)] }
            let hasMore = more?.contains { known.contains($0.string) } == true
            let isIndex = isNumbered(name) && (name.isHidden || hasMore)
            if known.contains(original) && !isIndex { found[name] = original }
        }
        return found
    }

    /// The name of each copy has one of these.
    private static let signs = [" ", "conflict", "..path"]

    /// The name of the file that `name` is a copy of; nil if it does not look like one.
    private static func original(of name: FileName) -> String? {
        let text = name.string
        // Most names cannot be copies, and matching is slow.
        guard signs.contains(where: { strstr(text, $0) != nil }) else { return nil }
        // rclone bisync: notes.json..path1, notes.conflict1.json
        if text.hasSuffix("..path1") || text.hasSuffix("..path2") {
            return String(text.dropLast(7))
        }
        // Syncthing: notes.sync-conflict-20261123-101500-ABCDEFG.json
        // Dropbox and others: notes (Anna's conflicted copy 2026-11-23).json; iCloud Drive: notes 2.json
        let patterns: [Regex<(Substring, Substring, Substring?)>] = [
            #/^(.+)\.sync-conflict-\d{8}-\d{6}-\w+(\.\w+)?$/#,
            #/^(.+) \([^)]*conflicted copy[^)]*\)(\.\w+)?$/#,
            #/^(.+)\.conflict\d+(\.\w+)?$/#,
            #/^(.+) \d+(\.\w+)?$/#,
        ]
        for pattern in patterns {
            if let match = text.wholeMatch(of: pattern) { return "\(match.1)\(match.2 ?? "")" }
        }
        return nil
    }

    private static func isNumbered(_ name: FileName) -> Bool {
        name.string.wholeMatch(of: #/^.+ \d+\.\w+$/#) != nil
    }
}
