import FileSystem

extension ConsistentCopy {
    /// Puts the copy on stable storage: each file, and each folder.
    ///
    /// Several folders are synced at once,
    /// because such syncs share one commit of the volume's journal.
    func sync(after step: @escaping @Sendable () throws -> Void) throws {
        var files: [CopiedFolder.Path: [FileName]] = [:]
        top.record.addFilesToSync(to: &files, at: [])
        let folders = Array(files)
        try onThreads(1 + folders.count / 8, count: folders.count) { [fileSystem, top = top.copy] in
            let (path, files) = folders[$0]
            let folder = try path.reduce(top) { try fileSystem.openFolder($1, in: $0) }
            try fileSystem.syncFiles(files, in: folder) { _ in try step() }
            try fileSystem.sync(folder)
        }
    }
}

extension CopiedFolder {
    /// Adds the files of this folder, and of those inside it, by the paths of their folders from the top
    /// of the copy.
    fileprivate func addFilesToSync(to list: inout [Path: [FileName]], at path: Path) {
        for (inner, files) in files {
            list[path + inner] = Array(files.keys)
        }
        list[path, default: []] += journals
        // The folders on the way to others, such as `.staging`, have no files of their own.
        for inner in Array(files.keys) + subfolders.keys {
            for count in 1..<max(1, inner.count) {
                list[path + inner.prefix(count), default: []] += []
            }
        }
        for (inner, record) in subfolders { record.addFilesToSync(to: &list, at: path + inner) }
    }
}
