import FileSystem

/// Finds the files and folders of a copy that are no part of its collection, so that no restoring and no merge uses
/// them.
///
/// Files of the library itself, such as lock files, are never among them.
struct UnusedEntries {
    /// Names the folders of assets, and the index.
    let store: IndexStore
    /// The names that the elements of the copy own.
    let owned: OwnedNames
    /// Other folders of the copy that were used, because of a change that its process had not ended.
    let used: Set<FileName>
    /// The copy in the folder of the transaction, in which unfinished changes were ended.
    let staged: Handle

    private var fileSystem: any FileSystem { store.fileSystem }
}

/// A file or a folder of a copy that is not used.
struct UnusedEntry {
    let path: FolderPath
    /// A sentence without its full stop.
    let message: String
}

extension UnusedEntries {
    /// The unused entries in the `copy`; of a folder of which nothing is used, the folder alone.
    ///
    /// - Throws: ``CopyDamage`` if one of them has a path as its name, or the name in an item in another spelling.
    func find(in copy: Handle) throws -> [UnusedEntry] {
        var found: [UnusedEntry] = []
        var walk = FolderWalk(copy, on: fileSystem)
        var paths: [FolderPath] = [[]]
        while let path = paths.popLast() {
            guard let folder = try walk.open(path) else { continue }
            let names = try fileSystem.unlessMissing { try fileSystem.list(folder) } ?? []
            let own = IndexNames.own(among: names, [store.names], in: folder.url)
            for name in names where !own.contains(name) {
                guard let status = try fileSystem.status(of: name, in: folder) else { continue }
                let inner = path + [name]
                if let message = try fault(of: inner, status, in: folder) {
                    found.append(UnusedEntry(path: inner, message: message))
                } else if status.kind == .folder {
                    paths.append(inner)
                }
            }
        }
        if let bad = found.first(where: { $0.path.last?.hasBackslash == true }) {
            throw CopyDamage(
                reason: ZipEntry.backslash(in: bad.path.text), people: .unusableName)
        }
        return found.sorted { $0.path.text < $1.path.text }
    }

    /// Why the file or the folder at `path`, in `parent`, is not used; nil if it is used.
    private func fault(of path: FolderPath, _ status: FileStatus, in parent: Handle) throws
        -> String?
    {
        guard let name = path.last else { return nil }
        if name.isHidden { return "a hidden file of another program was not used" }
        let isInAssets = path.count == 2 && store.names.assetsNames.contains(path[0])
        let isUsed: Bool
        switch status.kind {
        case .symbolicLink, .other: return "a link or a special file was not used"
        case .folder:
            isUsed =
                try path.count > 1 && !isInAssets || store.names.assetsNames.contains(name)
                || isOwned(path, status, in: parent, owned.folders) ?? used.contains(name)
        case .file where path.count == 1: isUsed = name == store.names.index
        case .file:
            isUsed = try !isInAssets || isOwned(path, status, in: parent, owned.files) == true
        }
        if isUsed { return nil }
        return status.kind == .folder
            ? "a folder that no item owns was not used, with everything in it"
            : "a file that no item owns was not used"
    }

    /// Whether an item owns the file or folder at `path`, which has this status in `parent`; nil if no item has its name.
    ///
    /// A program can have copied it with its name in other case or another Unicode normalisation. A volume that takes
    /// both names for one finds it nevertheless; so does one whose change of case was not ended.
    ///
    /// - Throws: ``CopyDamage`` if nothing has the name in the item: its contents would be lost.
    private func isOwned(
        _ path: FolderPath, _ status: FileStatus, in parent: Handle, _ names: NameTable
    ) throws -> Bool? {
        guard let name = path.last, let owned = names.name(equalTo: name) else { return nil }
        if owned == name { return true }
        let folder = try fileSystem.openFolder(path.dropLast(), in: staged)
        guard let folder, try fileSystem.status(of: owned, in: folder) != nil else {
            throw CopyDamage(
                reason:
                    "the name \(name) in it differs from \(owned), the name in the item, in case or in its "
                    + "Unicode normalisation", people: .unusableName)
        }
        let other = try fileSystem.status(of: owned, in: parent)
        return other == nil || other?.identity == status.identity
    }
}

extension FileName {
    /// Whether the name has the character with which Windows separates the parts of a path.
    var hasBackslash: Bool { bytes.contains(UInt8(ascii: "\\")) }
}
