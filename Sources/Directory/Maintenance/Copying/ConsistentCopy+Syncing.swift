import FileSystem
import Foundation

extension ConsistentCopy {
    /// Syncs the finished copy: each file, and each folder.
    ///
    /// The manifest comes last, when all times of files are final.
    func finish(begun: Date, after step: @escaping @Sendable () throws -> Void) throws {
        let files = top.record.allFiles
        let new = files.mapValues { files in
            files.filter { $0.value?.isInEarlierCopy != true }.map(\.key)
        }
        try fileSystem.sync(new, below: top.copy, after: step)
        let manifest = try CopyManifest(
            of: top.copy, begun: begun, top.record.identity, files, top.record.allIndexes,
            on: fileSystem)
        try copier.writeManifest(manifest, reader.store.names.copyManifest, in: top.copy)
    }
}

extension FileCopier {
    /// Writes the manifest of a finished copy into its folder, durably; nothing if it is nil.
    func writeManifest(_ manifest: CopyManifest?, _ name: FileName, in copy: Handle) throws {
        guard let manifest else { return }
        try write(CheckedLine.encode(manifest), to: name, in: copy, mode: options.filePermissions)
        try fileSystem.syncFiles([name], in: copy) { _ in }
        try fileSystem.sync(copy)
    }
}

extension FileSystem {
    /// Syncs files and their folders, which are at paths from `top`.
    ///
    /// Several folders are synced at once, because such syncs share one commit of the volume's journal.
    func sync(
        _ files: [FolderPath: [FileName]], below top: Handle,
        after step: @escaping @Sendable () throws -> Void
    ) throws {
        let folders = Array(files)
        try onThreads(1 + folders.count / 8, count: folders.count) {
            let (path, files) = folders[$0]
            let folder = try path.reduce(top) { try openFolder($1, in: $0) }
            try syncFiles(files, in: folder) { _ in try step() }
            try sync(folder)
        }
    }
}

extension CopiedFolder {
    /// All files in the copy of this folder and of those inside it, by the paths of their folders from the top of the
    /// copy; nil for a file that is not the copy of one.
    fileprivate var allFiles: [Path: [FileName: CopiedFile?]] {
        var all: [Path: [FileName: CopiedFile?]] = [:]
        addFiles(to: &all)
        return all
    }

    /// The indexes in the copy of this folder and of those inside it, by the paths of their folders.
    fileprivate var allIndexes: [Path: Set<FileName>] {
        subfolders.values.reduce(into: [path: indexes]) { all, inner in
            all.merge(inner.allIndexes) { $1 }
        }
    }

    private func addFiles(to all: inout [Path: [FileName: CopiedFile?]]) {
        for (inner, files) in files { all[path + inner] = files.mapValues(\.self) }
        for name in journals.union(completed) { all[path, default: [:]][name] = .some(nil) }
        // The folders on the way to others, such as `.staging`, have no files of their own.
        for inner in Array(files.keys) + subfolders.keys {
            for count in 0..<inner.count {
                all.merge([path + inner.prefix(count): [:]]) { old, _ in old }
            }
        }
        for inner in subfolders.values { inner.addFiles(to: &all) }
    }
}
