import FileSystem
import Foundation

/// The items that a commit removes, with their folders and files, which can be brought back until a date.
///
/// It is a part of the intent. After the commit, the file of the intent becomes that of the record.
struct RemovalRecord: Codable, Hashable, Sendable {
    /// An item before the commit, with its folder and its file.
    struct Item: Codable, Hashable, Sendable {
        var line: String
        /// Its position in the collection.
        var position: Int
        var folder: Owned?
        var file: Owned?
        /// True if the item stayed, with another file, folder or value; nil if it was removed.
        var isReplaced: Bool?
    }

    /// A folder or a file that an item owned.
    struct Owned: Codable, Hashable, Sendable {
        var name: FileName
        /// The name that it has beside the record.
        var slot: FileName
    }

    /// When the commit was made; this and ``until`` in microseconds since 1970.
    var date: Int
    /// When the items are removed for good.
    var until: Int
    /// Nil for an item that was brought back or removed for good.
    var items: [Item?]

    /// The name of the file in the transaction's folder.
    static let fileName: FileName = "removed"
}

extension RemovalRecord {
    /// Records the items that the commit of `change` with `intent` removes; nil if there are none.
    ///
    /// Items that leave for another collection are not recorded. The moves of `files` take folders and files away too.
    /// Items in `replacing` are recorded also if only their lines change.
    init?(
        _ change: ElementChange, from before: Snapshot, _ intent: Intent, _ files: DraftFiles,
        replacing: [ElementID] = [], keeping retention: DirectoryOptions.Retention
    ) throws {
        let names = before.names.value
        var folders: [ElementID: Owned] = [:]
        for (slot, parked) in try intent.parked where parked.to == nil {
            guard let name = parked.from, let id = names.folders.owner(of: name) else { continue }
            folders[id] = Owned(name: name, slot: slot)
        }
        var assets: [ElementID: Owned] = [:]
        for (number, name) in intent.removedFiles.enumerated() {
            guard let id = names.files.owner(of: name) else { continue }
            assets[id] = Owned(name: name, slot: try FileName(validating: "file-\(number + 1)"))
        }
        for move in files.replaced {
            for (name, slot) in move.pairs {
                let owned = Owned(name: name, slot: slot)
                if move.from.hasContainers {
                    names.folders.owner(of: name).map { folders[$0] = owned }
                } else {
                    names.files.owner(of: name).map { assets[$0] = owned }
                }
            }
        }
        func item(_ id: ElementID, isReplaced: Bool) -> RemovalRecord.Item? {
            guard let position = before.elements.position(of: id),
                let line = String(validating: before.elements[position].line, as: UTF8.self)
            else { return nil }
            return RemovalRecord.Item(
                line: line, position: position,
                folder: folders[id], file: assets[id], isReplaced: isReplaced ? true : nil)
        }
        let removed = Set(change.removed)
        let replaced = Set(assets.keys).union(folders.keys).union(replacing)
            .subtracting(removed)
        let all =
            removed.subtracting(files.leaving).map { item($0, isReplaced: false) }
            + replaced.subtracting(files.leaving).map { item($0, isReplaced: true) }
        items = all.sorted { ($0?.position ?? 0) < ($1?.position ?? 0) }
        date = Self.now
        until = date + retention.seconds * 1_000_000
        if isEmpty { return nil }
    }

    /// The time now, in microseconds since 1970.
    static var now: Int { Int(Date().timeIntervalSince1970 * 1_000_000) }

    /// Whether no item is left.
    var isEmpty: Bool { items.allSatisfy { $0 == nil } }

    /// The folders and files beside the record.
    var owned: [Owned] { items.flatMap { [$0?.folder, $0?.file].compactMap(\.self) } }

    /// Whether `snapshot` is a state after the commit; `isHere` says whether a name exists beside the record.
    func hasTakenPlace(
        in snapshot: Snapshot, _ reader: any ElementReader,
        isHere: (FileName) throws -> Bool
    ) rethrows -> Bool {
        try items.contains { item in
            guard let item else { return false }
            if item.isReplaced == true {
                if let file = item.file, !snapshot.names.value.files.owns(file.name) { return true }
                if item.folder == nil, item.file == nil,
                    let element = try? reader.element(on: item.bytes)
                {
                    return snapshot.elements[element.id]?.line != item.bytes
                }
                return try [item.folder, item.file].contains { owned in
                    try owned.map { try isHere($0.slot) } == true
                }
            }
            guard let element = try? reader.element(on: item.bytes) else { return false }
            return !snapshot.elements.contains(element.id)
        }
    }
}

extension Intent {
    /// Sets the kept places of the folders that `moves` bring back.
    mutating func setKeptPlaces(of moves: [Move]) {
        var places: [FileName: KeptPlace] = [:]
        for move in moves.ofContainers {
            for (name, newName) in move.pairs {
                places[newName] = move.from.kept.map { KeptPlace(path: $0, name: name) }
            }
        }
        for number in folders.indices where folders[number].from == nil {
            folders[number].waiting = folders[number].to.flatMap { places[$0] }
        }
    }
}

extension RemovalRecord.Item {
    var bytes: ArraySlice<UInt8> { Array(line.utf8)[...] }
}
