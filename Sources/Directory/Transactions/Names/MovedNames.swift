import FileSystem

/// The names that folders and files get or lose because the write itself moves them, whatever changes in their items.
struct MovedNames {
    /// The folders that a transfer brings.
    let transferred: Set<FileName>
    /// The folders that come from a copy or in an exchange.
    let copied: Set<FileName>
    /// The files that come from a copy or in an exchange.
    let copiedFiles: Set<FileName>
    /// The kept folders that are brought back.
    let restored: Set<FileName>
    /// The names, folded, of the folders that leave their places for copied ones.
    let freed: Set<String>
    /// The elements whose folders, and those whose files, leave their places.
    let (folderLeaves, fileLeaves): (Set<ElementID>, Set<ElementID>)

    /// The names in the moves of `files`; `owned` has the owners of those that are replaced.
    init(_ files: DraftFiles, _ owned: OwnedNames) {
        transferred = files.arriving.folders
        restored = Set(files.returning?.moves.targets(inAssets: false) ?? [])
        copied = Set(files.placed.targets(inAssets: false))
        copiedFiles = Set(files.placed.targets(inAssets: true))
        let replaced = files.replaced
        let folders = replaced.sources(inAssets: false)
        freed = Set(folders.map(\.folded))
        folderLeaves = files.leaving.union(folders.compactMap(owned.folders.owner))
        fileLeaves = files.leaving.union(
            replaced.sources(inAssets: true).compactMap(owned.files.owner))
    }
}
