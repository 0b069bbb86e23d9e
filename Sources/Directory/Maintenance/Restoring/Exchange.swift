import FileSystem

/// The folders and files that a commit adds, replaces and removes in one step.
///
/// New ones wait in the folder of the transaction, or in `.removed`. Replaced and removed ones move to the folder of
/// the transaction.
struct Exchange: Sendable {
    /// The folder and the file of an element that leave their places.
    struct Leaving: Sendable {
        var folder: RemovalRecord.Owned?
        var file: RemovalRecord.Owned?
    }

    /// The digits of the transaction.
    var number: String?
    var leaving: [ElementID: Leaving] = [:]
    var arriving: (folders: Set<FileName>, files: Set<FileName>) = ([], [])
    /// Departures come first, so that their names are free.
    private var (departures, arrivals): ([JointList.Move], [JointList.Move]) = ([], [])
    private var departed = 0

    var isEmpty: Bool { departures.isEmpty && arrivals.isEmpty }

    /// The names of folders that become free, folded.
    var freeFolders: Set<String> {
        leaving.isEmpty ? [] : Set(leaving.values.compactMap { $0.folder?.name.folded })
    }

    /// `others`, with the ids of the elements whose folders leave their places, and with those whose files do.
    func idsThatLeave(with others: Set<ElementID>) -> (
        folders: Set<ElementID>, files: Set<ElementID>
    ) {
        if leaving.isEmpty { return (others, others) }
        return (
            others.union(leaving.filter { $0.value.folder != nil }.keys),
            others.union(leaving.filter { $0.value.file != nil }.keys)
        )
    }

    /// The moves of the participant with a number.
    func moves(of participant: Int) -> [JointList.Move] {
        (departures + arrivals).map { move in
            var move = move
            (move.from.participant, move.to.participant) = (participant, participant)
            return move
        }
    }
}

extension Exchange {
    /// The folder of new folders and files, in the folder of the transaction.
    static let newFolder: FileName = "new"

    /// Plans to move the folder or the file `name` of the element with `id` to the folder of the transaction.
    mutating func leave(_ name: FileName, of id: ElementID, in assets: FileName?) throws {
        departed += 1
        let slot = try FileName(validating: "old-\(departed)")
        let owned = RemovalRecord.Owned(name: name, slot: slot)
        if assets == nil {
            leaving[id, default: .init()].folder = owned
        } else {
            leaving[id, default: .init()].file = owned
        }
        departures.add(
            name, in: .init(participant: 0, assets: assets), to: slot,
            in: .init(participant: 0, staged: []))
    }

    /// Plans to move the folder or the file `name` to `newName`, from the folder of the transaction, where it is in the
    /// assets folder `source`.
    mutating func arrive(
        _ name: FileName, in source: FileName?, as newName: FileName, to assets: FileName?
    ) {
        let staged = [Self.newFolder] + [source].compactMap(\.self)
        arrive(name, in: .init(participant: 0, staged: staged), as: newName, to: assets)
    }

    /// Plans to bring back the folder or the file of `owned` from the folder `kept` in `.removed`.
    mutating func arrive(_ owned: RemovalRecord.Owned, in kept: FileName, to assets: FileName?) {
        arrive(owned.slot, in: .init(participant: 0, kept: kept), as: owned.name, to: assets)
    }

    private mutating func arrive(
        _ name: FileName, in source: JointList.Folder, as newName: FileName, to assets: FileName?
    ) {
        if assets == nil {
            arriving.folders.insert(newName)
        } else {
            arriving.files.insert(newName)
        }
        arrivals.add(name, in: source, to: newName, in: .init(participant: 0, assets: assets))
    }
}
