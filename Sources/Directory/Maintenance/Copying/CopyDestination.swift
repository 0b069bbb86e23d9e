import FileSystem
import Foundation

/// Where a copy is made: a hidden folder, which becomes the copy, or which contains the file until it is finished.
///
/// The hidden folder is locked as long as its process lives, so that later copies recognise the folders of dead
/// processes.
struct CopyDestination {
    let url: URL
    let fileSystem: any FileSystem
    private let options: DirectoryOptions
    let name: FileName
    let parent: Handle
    /// The earlier copy, or the empty folder, at ``url``; nil if there is none.
    let earlier: EarlierCopy?

    /// The kind of copy; the raw value names the operation, for messages.
    enum Kind: String {
        case folder = "copy to"
        case file = "archive to"
    }
    let kind: Kind

    /// Finds the folder that `url` will be in, and makes it if it is missing.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation`; `nameTaken` if `url` has anything but an earlier copy or an
    ///   empty folder; `locked` if another process copies to it.
    init(
        _ url: URL, of source: IndexFolder?, owned: (FileName) -> Bool, _ store: IndexStore,
        _ kind: Kind = .folder
    ) throws {
        (self.url, self.kind) = (url, kind)
        fileSystem = store.fileSystem
        options = store.options
        let path = url.deletingLastPathComponent().path(percentEncoded: false)
        guard url.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw DirectoryError.noFolder(kind.rawValue, url)
        }
        guard let name = FileName(url.lastPathComponent) else {
            throw DirectoryError(
                .invalidLocation, kind.rawValue, url, "its name cannot be that of a file or folder",
                remedy: "Use a name of 1 to 255 bytes, without NUL.",
                people: .init(
                    reason: "its name is too long, or cannot be used",
                    remedy: DirectoryError.Code.invalidName.advice))
        }
        self.name = name
        let isInside = try DirectoryError.describing(kind.rawValue, url) {
            try source?.hasInside(url, owned: owned) == true
        }
        if isInside {
            throw DirectoryError(
                .invalidLocation, kind.rawValue, url, "it is inside what is copied",
                remedy: "Choose a folder outside of the collection.",
                people: .init(
                    reason: "it is inside what is copied", remedy: "Choose another place."))
        }
        (parent, earlier) = try DirectoryError.describing(kind.rawValue, url) {
            [fileSystem, options] in
            let parent = try fileSystem.openOrMakeFolder(
                at: path, mode: options.folderPermissions, as: options.protection)
            guard try fileSystem.status(of: name, in: parent) != nil else { return (parent, nil) }
            if kind == .file { throw DirectoryError.isTaken(url, kind) }
            let original = try source.map { try fileSystem.status(of: $0.handle).identity }
            let earlier = try EarlierCopy(
                name, in: parent, at: url, of: original, store.names, on: fileSystem)
            return (parent, earlier)
        }
    }
}

extension IndexFolder {
    /// Whether `url`, which need not exist, is in one of the folders of the collection: of assets, of transactions, or
    /// one that is `owned`.
    func hasInside(_ url: URL, owned: (FileName) -> Bool) throws -> Bool {
        let parent = url.deletingLastPathComponent().path(percentEncoded: false)
        let (nearest, missing) = try fileSystem.nearestFolder(to: parent)
        let rest = (missing + [url.lastPathComponent]).compactMap { FileName($0) }
        return try hasInside(fileSystem.resolve(nearest.path) + rest, owned: owned)
    }

    /// Whether the file or folder at `url`, or the target of a link there, is in one of these folders.
    ///
    /// False if this process may not look: a person can pick a document in a folder that the app may not open.
    func hasInside(existing url: URL, owned: (FileName) -> Bool) throws -> Bool {
        guard url.isFileURL else { return false }
        func resolved(_ url: URL) -> [FileName]? {
            try? fileSystem.resolve(url.path(percentEncoded: false))
        }
        let name = [FileName(url.lastPathComponent)].compactMap(\.self)
        let path = url.withAccess {
            resolved(url) ?? resolved(url.deletingLastPathComponent()).map { $0 + name }
        }
        return try path.map { try hasInside($0, owned: owned) } == true
    }

    private func hasInside(_ path: [FileName], owned: (FileName) -> Bool) throws -> Bool {
        let folder = try fileSystem.resolve(handle.path)
        guard path.starts(with: folder), let first = path.dropFirst(folder.count).first
        else { return false }
        let parts =
            names.assetsNames
            + [names.index, IndexNames.staging, IndexNames.trash, IndexNames.removed]
        return parts.contains { $0.folded == first.folded } || owned(first)
    }
}

extension DirectoryError {
    /// The error for a copy whose place at `url` is taken.
    static func isTaken(
        _ url: URL, _ kind: CopyDestination.Kind = .folder,
        reason: String = "there is something with this name", people words: String? = nil
    ) -> DirectoryError {
        DirectoryError(
            .nameTaken, kind.rawValue, url, reason, people: .init(reason: words ?? reason))
    }
}

extension CopyDestination {
    /// Calls `body` with a new hidden folder, which becomes the copy when `body` returns; if it
    /// throws, the folder is removed.
    func make(_ body: (Handle) throws -> Void) throws {
        try inHiddenFolder { folder, hidden in
            try body(folder)
            try publish(hidden)
        }
    }

    /// Calls `body` with a new file, which becomes the copy when `body` returns, and with the hidden folder that it is
    /// in; the folder is removed then, and if `body` throws.
    func makeFile(_ body: (_ file: Handle, _ hidden: Handle) throws -> Void) throws {
        try inHiddenFolder { folder, hidden in
            let mode = options.filePermissions
            let file = try fileSystem.openFile(name, in: folder, for: .create(mode: mode))
            try fileSystem.protect(file, mode: mode, by: options)
            try body(file, folder)
            try fileSystem.sync(file)
            try publishFile(from: folder)
            // Best effort: the next copy into this folder removes a hidden folder that stays.
            try? discard(hidden)
        }
    }

    /// Calls `body` with a new hidden folder and its name; if it throws, the folder is removed.
    ///
    /// Errors of the file system become ``DirectoryError`` if they are about the copy, and not about the original.
    private func inHiddenFolder(_ body: (Handle, FileName) throws -> Void) throws {
        let (hidden, folder) = try DirectoryError.describing(kind.rawValue, url) {
            try removeLeftovers()
            return try makeHiddenFolder()
        }
        try withExtendedLifetime(folder) {
            do {
                try body(folder, hidden)
            } catch {
                // Best effort: the next copy into this folder removes a hidden folder that stays.
                if !(error is NotRolledBack) { try? discard(hidden) }
                let error = (error as? NotRolledBack)?.cause ?? error
                guard let error = error as? FileSystemError else { throw error }
                if error.code == .fileExists { throw DirectoryError.isTaken(url, kind) }
                guard error.path.hasPrefix(parent.path(of: hidden)) || error.path == parent.path
                else { throw error }
                throw DirectoryError(error, kind.rawValue, url)
            }
        }
    }

    private func makeHiddenFolder() throws -> (FileName, Handle) {
        while true {
            let name = try FileName(
                validating: Self.prefix + RandomName.digits() + Self.suffix)
            try fileSystem.makeFolder(name, in: parent, mode: options.folderPermissions)
            do {
                if let folder = try lock(name) { return (name, folder) }
            } catch {
                try? fileSystem.removeFolder(name, in: parent)  // Best effort, as above.
                throw error
            }
        }
    }

    /// Opens and locks a new hidden folder; nil if another copy removed it as a leftover before it was locked.
    private func lock(_ name: FileName) throws -> Handle? {
        guard let folder = try fileSystem.openFolderIfPresent(name, in: parent),
            try fileSystem.tryLock(folder),
            try fileSystem.status(of: name, in: parent) != nil
        else { return nil }
        try fileSystem.protect(folder, mode: options.folderPermissions, by: options)
        return folder
    }

    private static var prefix: String { "." }
    private static var suffix: String { ".copy" }

    /// Whether `name` is that of a copy that is not finished.
    static func isHidden(_ name: FileName) -> Bool {
        RandomName.matches(name, prefix: prefix, suffix: suffix)
    }
}
