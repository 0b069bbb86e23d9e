import FileSystem
import Foundation

/// An earlier copy that a new one replaces.
///
/// It stays as it is until the new copy is whole. Files that are still equal to the original get hard links in the new
/// one. The folder is locked, so that one process at a time replaces it.
struct EarlierCopy {
    private typealias Path = FolderPath

    private let folder: Handle
    private let url: URL
    private let fileSystem: any FileSystem
    private let manifest: FileName
    private let files: [Path: [FileName: CopyManifest.File]]
    /// The names of the folders in each folder.
    private let subfolders: [Path: Set<FileName>]
    /// A file of the original that was last written before this time is unchanged if its time and size are: volumes
    /// round the time of a write, some to two seconds.
    private let trusted: Int

    /// Opens and locks the copy of the folder `original` that a new one replaces; an empty folder counts as a copy
    /// without files.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` unless it is an unchanged copy of that folder, or of a collection
    ///   without a folder; with `locked` if another process uses or replaces it.
    init(
        _ name: FileName, in parent: Handle, at url: URL, of original: FileIdentity?,
        _ names: IndexNames, on fileSystem: any FileSystem
    ) throws {
        guard try fileSystem.status(of: name, in: parent)?.kind == .folder else {
            throw DirectoryError.isTaken(url)
        }
        let folder = try fileSystem.openFolder(name, in: parent)
        // Another process may have put its copy there before it released the lock.
        guard try fileSystem.tryLock(folder),
            try fileSystem.status(of: name, in: parent)?.identity
                == fileSystem.status(of: folder).identity
        else {
            throw DirectoryError(
                .locked, "copy to", url, "another process copies to the same place",
                remedy: "Try again when it has ended.",
                people: .init(reason: "another program copies to the same place"))
        }
        let file = try names.copyManifest
        let found = try CopyManifest(file, in: folder, on: fileSystem)
        if let found {
            let own = original.map(CopyManifest.Original.init)
            guard found.original == nil || found.original == own else {
                throw DirectoryError.isTaken(
                    url, reason: "there is a copy of another collection with this name")
            }
        } else {
            guard try fileSystem.list(folder).allSatisfy({ $0 == IndexNames.finder }) else {
                throw DirectoryError.isTaken(url)
            }
        }
        try self.init(folder, file, found, at: url, on: fileSystem)
        _ = try check()
    }

    /// Opens a whole copy in the hidden `folder`, which a dead process left there or which was replaced; nil if it is
    /// not whole.
    init?(leftIn folder: Handle, at url: URL, on fileSystem: any FileSystem) throws {
        let files = try fileSystem.list(folder).filter(FileRole.manifest.matches)
        guard let file = files.first,
            let found = try CopyManifest(file, in: folder, on: fileSystem)
        else { return nil }
        try self.init(folder, file, found, at: url, on: fileSystem)
    }

    private init(
        _ folder: Handle, _ file: FileName, _ found: CopyManifest?, at url: URL,
        on fileSystem: any FileSystem
    ) throws {
        self.folder = folder
        self.url = url
        self.fileSystem = fileSystem
        manifest = file
        let resolution = 2_000_000_000
        trusted = max(found?.began ?? 0, resolution) - resolution
        var files: [Path: [FileName: CopyManifest.File]] = [:]
        for folder in found?.folders ?? [.init(path: "", files: [])] {
            guard let path = folder.names, files[path] == nil else {
                throw DirectoryError.isTaken(url)
            }
            files[path] = Dictionary(folder.files.map { ($0.name, $0) }) { $1 }
        }
        self.files = files
        subfolders = Dictionary(
            grouping: files.keys.filter { !$0.isEmpty }, by: { Array($0.dropLast()) }
        ).mapValues { Set($0.compactMap(\.last)) }
        // Otherwise the check would skip a folder.
        guard files[[]] != nil, subfolders.keys.allSatisfy({ files[$0] != nil }) else {
            throw DirectoryError.isTaken(url)
        }
    }
}

extension EarlierCopy {
    /// Checks that nothing in it except lock files was added, removed or written to since it was made.
    ///
    /// - Returns: The locks of its collections, or of some if they are many.
    /// - Throws: ``DirectoryError`` with `nameTaken`; `locked` if a collection in it is locked.
    func check() throws -> [FolderLocks] {
        var locks: [FolderLocks] = []
        for (path, files) in files {
            guard let inner = try fileSystem.openFolder(path, in: folder) else {
                throw isChanged(path)
            }
            let names = try fileSystem.list(inner)
            if let taken = try lock(names.filter(FileRole.lock.matches), in: inner),
                locks.count < Self.maximumOfLocks
            {
                locks.append(taken)
            }
            var missing = (subfolders[path] ?? []).union(files.keys)
            for name in names {
                guard let found = try fileSystem.status(of: name, in: inner) else {
                    throw isChanged(path + [name])
                }
                if found.kind == .file, isIgnored(name, in: path) { continue }
                guard missing.remove(name) != nil,
                    files[name].map({ $0.isUnchanged(found) }) ?? (found.kind == .folder)
                else { throw isChanged(path + [name]) }
            }
            if let name = missing.first { throw isChanged(path + [name]) }
        }
        return locks
    }

    /// How many folders stay locked at once: each has open files.
    private static let maximumOfLocks = 64

    /// Locks files that others may have locked for a moment; nil if there are none.
    private func lock(_ names: [FileName], in inner: Handle) throws -> FolderLocks? {
        if names.isEmpty { return nil }
        for _ in 0..<100 {
            if let locks = try FolderLocks(of: names, in: inner, on: fileSystem, .init()) {
                return locks
            }
            Thread.sleep(forTimeInterval: 0.001)
        }
        throw DirectoryError(
            .locked, "copy to", url, "another process uses the copy that is there",
            remedy: "Try again when it does not.",
            people: .init(reason: "another program uses the copy that is there"))
    }

    /// Removes the manifest, so that the rest does not count as a whole copy.
    func removeManifest() throws {
        // An empty folder that was there before has none.
        guard try fileSystem.status(of: manifest, in: folder) != nil else { return }
        try fileSystem.removeFile(manifest, in: folder)
        try fileSystem.sync(folder)
    }

    /// Checks that `name` in `parent` is this copy, as it was made.
    ///
    /// - Returns: The locks of the collections in it, so that a process that waits for such a lock finds the copy
    ///   replaced.
    func checkThatItIs(_ name: FileName, in parent: Handle) throws -> [FolderLocks] {
        let identity = try fileSystem.status(of: folder).identity
        guard try fileSystem.status(of: name, in: parent)?.identity == identity else {
            throw DirectoryError.isTaken(
                url, reason: "the copy with this name was replaced meanwhile")
        }
        return try check()
    }

    /// The folder at `path` and its files; nil if the copy has none.
    func folder(at path: FolderPath) throws -> Folder? {
        guard let files = files[path], let inner = try fileSystem.openFolder(path, in: folder)
        else { return nil }
        return Folder(handle: inner, files: files, trusted: trusted, fileSystem: fileSystem)
    }

    private func isIgnored(_ name: FileName, in path: FolderPath) -> Bool {
        if name == IndexNames.finder { return true }
        if path.isEmpty, name == manifest { return true }
        // A lock file of an index is ignored.
        guard let stem = FileRole.lock.stem(of: name), let files = files[path] else {
            return false
        }
        return files.keys.contains { FileRole.index.stem(of: $0) == stem }
    }

    private func isChanged(_ path: FolderPath) -> DirectoryError {
        return DirectoryError.isTaken(
            url,
            reason: "\(path.text) in the copy with this name was changed after the copy was made",
            people: "something in the copy with this name was changed after it was made")
    }
}

extension EarlierCopy {
    /// A folder of an earlier copy.
    struct Folder {
        fileprivate let handle: Handle
        fileprivate let files: [FileName: CopyManifest.File]
        fileprivate let trusted: Int
        fileprivate let fileSystem: any FileSystem

        /// Makes a hard link to the file `name` in `target`, if that is a copy of the file with the status `original`.
        ///
        /// - Returns: False if it is no such copy, or if the volume has no hard links.
        func link(_ name: FileName, ifCopyOf original: FileStatus, to target: Handle) -> Bool {
            guard let file = files[name], file.source == CopyManifest.Source(original),
                original.modified.nanosecondsSince1970 < trusted,
                let found = try? fileSystem.status(of: name, in: handle),
                file.isUnchanged(found), found.linkCount == 1,
                found.identity != original.identity
            else { return false }
            // If the link fails for any reason, the file is copied.
            return (try? fileSystem.link(name, in: handle, to: name, in: target)) != nil
        }
    }
}
