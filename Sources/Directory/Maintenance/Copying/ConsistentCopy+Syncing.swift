import FileSystem

extension ConsistentCopy {
    /// Puts the copy on stable storage: each file that is not shared, and each folder.
    ///
    /// A file that is linked was synced before it became an asset.
    func sync(
        _ record: CopiedFolder, _ copy: Handle, before step: @escaping @Sendable () throws -> Void
    )
        throws
    {
        for (path, files) in record.files {
            guard let folder = try fileSystem.openFolder(path, in: copy) else { continue }
            var names = files.filter { !$0.value.isLinked }.map(\.key)
            if path.isEmpty { names += record.journals }
            try fileSystem.syncFiles(names, in: folder, before: step)
        }
        for (path, inner) in record.subfolders {
            guard let folder = try fileSystem.openFolder(path, in: copy) else { continue }
            try sync(inner, folder, before: step)
        }
        // The folders inside it that are not those of subfolders.
        var folders = Set(record.files.keys)
        for path in Array(record.files.keys) + record.subfolders.keys {
            for count in 0..<max(1, path.count) { folders.insert(Array(path.prefix(count))) }
        }
        for path in folders.sorted(by: { $0.count > $1.count }) {
            if let folder = try fileSystem.openFolder(path, in: copy) {
                try fileSystem.sync(folder)
            }
        }
    }
}
