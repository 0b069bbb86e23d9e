import FileSystem

/// What a write does with folders and files, besides what follows from the names that its elements own.
struct DraftFiles {
    /// The files of the stage that the write imports.
    var staged = StagedFiles()
    /// The ids of elements that are transferred to another collection, with their folders and files.
    var leaving: Set<ElementID> = []
    /// The names of the folders and files of elements that another collection transfers here.
    var arriving: (folders: Set<FileName>, files: [FileName]) = ([], [])
    /// The folders and files that move to the other collection, and those that come from a copy or from `.removed`.
    ///
    /// Those that leave their places for these come first, so that their names are free.
    private(set) var moves: [Move] = []
    /// How many of the moves take folders and files away for others, and how many names these have.
    private var (replacedMoves, replacedNames) = (0, 0)
    /// The files that this commit puts back, if it is an undo or a redo, or brings removed items
    /// back.
    var returning: Returning?
}

extension DraftFiles {
    /// The folder of new folders and files, in the folder of the transaction.
    static let newFolder: FileName = "new"

    /// The moves of folders and files to the folder of the transaction, because others get their places or names.
    var replaced: [Move] { moves.isEmpty ? [] : Array(moves[..<replacedMoves]) }
    /// The moves of folders and files from a copy or from `.removed` to their places.
    var placed: [Move] { moves.isEmpty ? [] : moves.filter { !$0.from.isVisible } }
    /// The moves to the other collection.
    var transferred: [Move] {
        moves.isEmpty ? [] : moves.filter { $0.from.isVisible && $0.to.isVisible }
    }

    /// Whether folders or files move, besides those that follow from names and from the stage.
    var movesAny: Bool {
        !moves.isEmpty || !leaving.isEmpty || !arriving.folders.isEmpty || !arriving.files.isEmpty
            || returning != nil
    }

    /// Whether folders or files change places with others.
    var exchangesAny: Bool { replacedMoves > 0 || !placed.isEmpty }

    /// Plans to move the folder or the file `entry` of the index with `names` to the folder of the transaction.
    mutating func replace(_ entry: IndexFolder.Entry, of names: IndexNames) throws {
        replacedNames += 1
        let count = moves.count
        moves.add(
            entry.name, in: .init(assets: entry.assets == nil ? nil : names.stem),
            to: try FileName(validating: "old-\(replacedNames)"), in: .init(staged: []),
            before: replacedMoves)
        replacedMoves += moves.count - count
    }

    /// Plans to move the folder or the file `name` from `source`, where a copy or the removed items are, to its place.
    mutating func place(
        _ name: FileName, in source: Move.Folder, as newName: FileName, in assets: FileName?
    ) {
        moves.add(name, in: source, to: newName, in: .init(assets: assets))
    }

    /// Plans to move the folder or the file `name` to the other collection.
    mutating func transfer(
        _ name: FileName, in assets: FileName?, to newName: FileName, in newAssets: FileName?
    ) {
        moves.add(
            name, in: .init(assets: assets), to: newName,
            in: .init(participant: 1, assets: newAssets))
    }
}
