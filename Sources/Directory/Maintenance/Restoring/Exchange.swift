import FileSystem

/// The folders and files that a commit puts in the place of others, or beside them, in one step.
///
/// They wait in the folder of the transaction. What they replace, and what is removed, moves there.
struct Exchange<ID: Hashable & Sendable>: Sendable {
    /// What of an item leaves its place.
    struct Leaving: Sendable {
        var folder: RemovalRecord.Owned?
        var file: RemovalRecord.Owned?
    }

    /// The digits of the transaction.
    var number: String?
    var leaving: [ID: Leaving] = [:]
    var arriving: (folders: Set<FileName>, files: Set<FileName>) = ([], [])
    /// What leaves comes first, so that its names are free.
    private var (departures, arrivals): ([TreeList.Move], [TreeList.Move]) = ([], [])

    var isEmpty: Bool { departures.isEmpty && arrivals.isEmpty }

    /// The names of folders that become free, folded.
    var freeFolders: Set<String> { Set(leaving.values.compactMap { $0.folder?.name.folded }) }

    /// The moves of the participant with a number.
    func moves(of participant: Int) -> [TreeList.Move] {
        (departures + arrivals).map { move in
            var move = move
            (move.from.participant, move.to.participant) = (participant, participant)
            return move
        }
    }
}

extension Exchange {
    /// The folder, in that of the transaction, with what arrives.
    static var newFolder: FileName { "new" }

    /// Moves the folder or the file `name` of the item with `id` to the transaction.
    mutating func leave(_ name: FileName, of id: ID, in assets: FileName?) throws {
        let slot = try FileName(validating: "old-\(departures.count + 1)")
        let owned = RemovalRecord.Owned(name: name, slot: slot)
        if assets == nil {
            leaving[id, default: .init()].folder = owned
        } else {
            leaving[id, default: .init()].file = owned
        }
        departures.append(
            .init(
                from: .init(participant: 0, assets: assets, name: name),
                to: .init(participant: 0, staged: [], name: slot)))
    }

    /// Brings the folder or the file `name` from the transaction, where it is in the folder `source` of assets, as
    /// `newName`.
    mutating func arrive(
        _ name: FileName, in source: FileName?, as newName: FileName, to assets: FileName?
    ) {
        if assets == nil {
            arriving.folders.insert(newName)
        } else {
            arriving.files.insert(newName)
        }
        let staged = [Self.newFolder] + [source].compactMap(\.self)
        arrivals.append(
            .init(
                from: .init(participant: 0, staged: staged, name: name),
                to: .init(participant: 0, assets: assets, name: newName)))
    }
}
