import FileSystem

/// Folders or files that a commit moves from one folder to another, in this order and never over an existing name.
struct Move: Codable, Hashable, Sendable {
    /// A folder from which, or to which, something moves.
    struct Folder: Codable, Hashable, Sendable {
        /// The number of the index among the participants of a joint write.
        ///
        /// In a draft and in an intent, 0 is their own index. In a draft, 1 is that with which it exchanges elements.
        var participant = 0
        /// The folder of assets; nil for the folder of the index, which has the containers' folders.
        var assets: FileName?
        /// The path of the folder in the participant's transaction folder; nil if it is not in that folder.
        var staged: FolderPath?
        /// The path from the folder of the index to a folder of kept files, in `.removed` or in the trash; nil for any
        /// other folder.
        var kept: FolderPath?

        /// Whether it is the folder of the index or one of assets.
        var isVisible: Bool { staged == nil && kept == nil }
        /// Whether it is the folder of the index, not one of assets, of a transaction or of kept files.
        var hasContainers: Bool { assets == nil && isVisible }
    }

    var from: Folder
    var to: Folder
    var names: [FileName]
    /// As many as there are names; nil if no name changes.
    var newNames: [FileName]?
}

extension Move {
    /// The names before and after the move.
    var pairs: [(FileName, FileName)] { Array(zip(names, newNames ?? names)) }
    /// The names after the move.
    var targets: [FileName] { newNames ?? names }

    /// Whether there is a new name for each name or for none.
    var isWhole: Bool { newNames == nil || newNames?.count == names.count }

    /// The move back.
    var reversed: Self {
        Self(
            from: to, to: from, names: targets.reversed(),
            newNames: newNames == nil ? nil : names.reversed())
    }

    fileprivate mutating func add(_ name: FileName, _ newName: FileName) {
        if name != newName, newNames == nil { newNames = names }
        names.append(name)
        newNames?.append(newName)
    }
}

extension [Move] {
    /// Adds the move of `name`, which is `newName` in its new folder.
    mutating func add(
        _ name: FileName, in source: Move.Folder, to newName: FileName, in target: Move.Folder
    ) {
        add(name, in: source, to: newName, in: target, before: endIndex)
    }

    /// The same, but before the moves from `position` on.
    mutating func add(
        _ name: FileName, in source: Move.Folder, to newName: FileName, in target: Move.Folder,
        before position: Int
    ) {
        var position = position
        if position == 0 || self[position - 1].from != source || self[position - 1].to != target {
            insert(Move(from: source, to: target, names: []), at: position)
            position += 1
        }
        self[position - 1].add(name, newName)
    }

    /// The moves of a draft for a joint write in which its index has the number `own`, and the other one `other`.
    func numbered(from own: Int, to other: Int) -> [Move] {
        map { move in
            var move = move
            move.from.participant = own
            move.to.participant = move.to.participant == 0 ? own : other
            return move
        }
    }

    /// The names before the moves of what leaves the folders of assets, or else the folder of the index.
    func sources(inAssets: Bool) -> [FileName] {
        filter { $0.from.isVisible && $0.from.hasContainers != inAssets }.flatMap(\.names)
    }

    /// The names after the moves of what comes to the folders of assets, or else to the folder of the index.
    func targets(inAssets: Bool) -> [FileName] {
        filter { $0.to.isVisible && $0.to.hasContainers != inAssets }.flatMap(\.targets)
    }
}
