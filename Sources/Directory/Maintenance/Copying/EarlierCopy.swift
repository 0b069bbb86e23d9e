import FileSystem
import Foundation

/// A copy that was made before, in whose place a new one comes.
///
/// It stays as it is until the new one is whole, which has second names of the files that are still those of the
/// original. Its folder is locked, so that one process at a time takes its place.
struct EarlierCopy {
    private typealias Path = CopiedFolder.Path

    private let folder: Handle
    private let url: URL
    private let fileSystem: any FileSystem
    private let manifest: FileName
    private let files: [Path: [FileName: CopyManifest.File]]
    /// The names of the folders in each folder.
    private let subfolders: [Path: Set<FileName>]
    /// The time before which a file of the original was written last that is trusted to be the same if its time
    /// and size are: volumes round the time of a write, some to two seconds.
    private let trusted: Int

    /// Opens and locks what is at the place of a new copy of the folder `original`; an empty folder is a copy of
    /// nothing.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` unless it is a copy of that folder, as it was made; with
    ///   `locked` if another process takes its place.
    init(
        _ name: FileName, in parent: Handle, at url: URL, of original: FileIdentity?,
        _ names: IndexNames, on fileSystem: any FileSystem
    ) throws {
        self.url = url
        self.fileSystem = fileSystem
        manifest = try names.copyManifest
        guard try fileSystem.status(of: name, in: parent)?.kind == .folder else {
            throw DirectoryError.isTaken(url)
        }
        folder = try fileSystem.openFolder(name, in: parent)
        guard try fileSystem.tryLock(folder) else {
            throw DirectoryError(
                .locked, "copy to", url, "another process copies to the same place",
                remedy: "Try again when it has ended.")
        }
        let bytes = try fileSystem.readAll(manifest, in: folder)
        let found = bytes.flatMap { CheckedLine.decode(CopyManifest.self, from: $0) }
        if let found {
            guard found.original == original.map(CopyManifest.Original.init) else {
                throw DirectoryError.isTaken(
                    url, "there is a copy of another collection with this name")
            }
        } else {
            guard try fileSystem.list(folder).allSatisfy({ $0 == IndexNames.finder }) else {
                throw DirectoryError.isTaken(url)
            }
        }
        let resolution = 2_000_000_000
        trusted = max(found?.began ?? 0, resolution) - resolution
        let folders = found?.folders ?? [.init(path: "", files: [])]
        files = Dictionary(
            folders.map { folder in
                (folder.names, Dictionary(folder.files.map { ($0.name, $0) }) { $1 })
            }
        ) { $1 }
        subfolders = Dictionary(
            grouping: files.keys.filter { !$0.isEmpty }, by: { Array($0.dropLast()) }
        ).mapValues { Set($0.compactMap(\.last)) }
        // Else a folder would not be looked at.
        guard files[[]] != nil, subfolders.keys.allSatisfy({ files[$0] != nil }) else {
            throw DirectoryError.isTaken(url)
        }
        _ = try check()
    }
}

extension EarlierCopy {
    /// Checks that nobody has added, removed or written to anything in it since it was made; who has only looked at
    /// its collections may have left lock files.
    ///
    /// - Returns: The locks of these collections.
    /// - Throws: ``DirectoryError`` with `nameTaken`; `locked` if a collection in it is locked.
    private func check() throws -> [FolderLocks] {
        try files.map { path, files in
            guard let inner = try fileSystem.openFolder(path, in: folder) else {
                throw isChanged(path.last?.string ?? "")
            }
            let known = subfolders[path] ?? []
            var missing = known.union(files.keys)
            let found = try fileSystem.list(inner)
            let locks = try FolderLocks(
                of: found.filter(IndexNames.isLock), in: inner, on: fileSystem, .init())
            guard let locks else { throw isLocked }
            for name in found where !isIgnored(name, in: path) {
                guard missing.remove(name) != nil,
                    let found = try fileSystem.status(of: name, in: inner),
                    files[name].map({ $0.isUnchanged(found) }) ?? (found.kind == .folder)
                else { throw isChanged(name.string) }
            }
            if let name = missing.first { throw isChanged(name.string) }
            return locks
        }
    }

    /// Checks that `name` in `parent` is this copy, as it was made.
    ///
    /// - Returns: The locks of the collections in it: who waits for one of them sees then that it is gone.
    func checkThatItIs(_ name: FileName, in parent: Handle) throws -> [FolderLocks] {
        let identity = try fileSystem.status(of: folder).identity
        guard try fileSystem.status(of: name, in: parent)?.identity == identity else {
            throw DirectoryError.isTaken(url, "the copy with this name was replaced meanwhile")
        }
        return try check()
    }

    /// The folder at `path` and its files; nil if the copy has none.
    func folder(at path: CopiedFolder.Path) throws -> Folder? {
        guard let files = files[path], let inner = try fileSystem.openFolder(path, in: folder)
        else { return nil }
        return Folder(handle: inner, files: files, trusted: trusted, fileSystem: fileSystem)
    }

    private func isIgnored(_ name: FileName, in path: CopiedFolder.Path) -> Bool {
        name == IndexNames.finder || IndexNames.isLock(name) || path.isEmpty && name == manifest
    }

    private var isLocked: DirectoryError {
        DirectoryError(
            .locked, "copy to", url, "another process uses the copy that is there",
            remedy: "Try again when it does not.")
    }

    private func isChanged(_ name: String) -> DirectoryError {
        DirectoryError.isTaken(
            url, "\(name) in the copy with this name was changed since that was made")
    }
}

extension EarlierCopy {
    /// A folder of it.
    struct Folder {
        fileprivate let handle: Handle
        fileprivate let files: [FileName: CopyManifest.File]
        fileprivate let trusted: Int
        fileprivate let fileSystem: any FileSystem

        /// Gives the file `name` a second name in `target`, if it is a copy of the file with the status `original`.
        ///
        /// - Returns: Whether it has that; not if the volume knows no second names.
        func link(_ name: FileName, ifCopyOf original: FileStatus, to target: Handle) -> Bool {
            guard let file = files[name], file.source == CopyManifest.Source(original),
                original.modified.nanosecondsSince1970 < trusted
            else { return false }
            // If anything prevents that, the file is copied.
            return (try? fileSystem.link(name, in: handle, to: name, in: target)) != nil
        }
    }
}
