import FileSystem

/// The folder of the assets.
///
/// The seed library kept photographs in `Photos`. They are read there, until the first change moves them; a sync
/// program can bring them before or after that.
extension IndexFolder {
    /// The folders of the assets that are there; the second is that of the seed library.
    func assetsFolders() throws -> [(name: FileName, handle: Handle)] {
        try assetsFolders(names.assetsNames)
    }

    /// Those of `names` that are there.
    func assetsFolders(_ names: [FileName]) throws -> [(name: FileName, handle: Handle)] {
        let found = try names.compactMap { name in
            try openFolder(name).map { (name: name, handle: $0) }
        }
        guard found.count > 1 else { return found }
        // On a volume that ignores case, both names lead to one folder.
        let folders = try found.map { try fileSystem.status(of: $0.handle).identity }
        return folders[0] == folders[1] ? [found[0]] : found
    }

    /// Finds the regular file `name` among the assets; nil if there is none.
    func findAsset(_ name: FileName) throws -> (
        assets: FileName, folder: Handle, status: FileStatus
    )? {
        for assets in names.assetsNames {
            guard let folder = try openFolder(assets) else { continue }
            if let status = try fileSystem.status(of: name, in: folder), status.kind == .file {
                return (assets, folder, status)
            }
        }
        return nil
    }

    /// Moves the assets of a store of the seed library to their folder, durably; no later step of a change looks for
    /// them elsewhere.
    ///
    /// Assets are found in both folders, so a crash between two moves does no harm.
    func convertSeedAssets(where isOwned: (FileName) -> Bool) throws {
        guard let seed = names.seedAssets, let source = try openFolder(seed) else { return }
        let assets = try openOrMake(names.stem)
        if try assetsFolders().count == 1 { return }
        let present = Set(try fileSystem.list(assets))
        for name in try fileSystem.list(source) where isOwned(name) && !present.contains(name) {
            try fileSystem.move(name, in: source, to: name, in: assets)
        }
        try fileSystem.sync(assets)
        try fileSystem.sync(source)
        removeIfEmpty(seed)
    }
}
