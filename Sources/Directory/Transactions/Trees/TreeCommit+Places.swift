import FileSystem

extension TreeCommit.Place {
    var isHome: Bool { if case .home = self { true } else { false } }

    /// The place of a folder inside this one, which can have any of `names`.
    func below(_ names: [String]) -> Self {
        switch self {
        case .home: .below(names)
        case .below(let paths): .below(paths.flatMap { path in names.map { "\(path)/\($0)" } })
        case .elsewhere: .elsewhere
        }
    }
}

extension DraftMove {
    /// Adds the move from the participant `source` to `target`, whose index is `store`.
    func add(
        to moves: inout [TreeList.Move], from source: Int, to target: Int, _ store: IndexStore
    ) {
        moves.add(
            name, in: .init(participant: source, assets: assets), to: newName,
            in: .init(participant: target, assets: isFolder ? nil : store.names.stem))
    }

    /// The move back, in a collection whose assets are in the folder `stem`.
    func reversed(_ stem: FileName) -> Self {
        DraftMove(assets: isFolder ? nil : stem, name: newName, newName: name)
    }
}
