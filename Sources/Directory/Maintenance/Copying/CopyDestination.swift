import FileSystem
import Foundation

/// Where a copy is made: a hidden folder beside the one that it becomes.
///
/// The hidden folder is locked as long as its process lives, so that later copies can tell what a
/// process left that has died.
struct CopyDestination {
    let url: URL
    let fileSystem: any FileSystem
    private let options: DirectoryOptions
    let name: FileName
    let parent: Handle
    /// What is at ``url``.
    let earlier: EarlierCopy?

    /// Finds the folder that `url` will be in, and makes it if it is missing.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation`; `nameTaken` if there is something at `url` but an earlier copy
    ///   or an empty folder; `locked` if another process copies to it.
    init(_ url: URL, of source: IndexFolder?, owned: (FileName) -> Bool, _ store: IndexStore) throws
    {
        self.url = url
        fileSystem = store.fileSystem
        options = store.options
        let path = url.deletingLastPathComponent().path(percentEncoded: false)
        guard url.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0),
            let name = FileName(url.lastPathComponent)
        else {
            throw DirectoryError.noFolder("copy to", url)
        }
        self.name = name
        if let source { try Self.check(path, name, isOutside: source, owned) }
        (parent, earlier) = try DirectoryError.describing("copy to", url) {
            [fileSystem, options] in
            let parent = try fileSystem.openOrMakeFolder(
                at: path, mode: options.folderPermissions, as: options.protection)
            guard try fileSystem.status(of: name, in: parent) != nil else { return (parent, nil) }
            let original = try source.map { try fileSystem.status(of: $0.handle).identity }
            let earlier = try EarlierCopy(
                name, in: parent, at: url, of: original, store.names, on: fileSystem)
            return (parent, earlier)
        }
    }

    /// Checks that the copy will not be inside what is copied.
    private static func check(
        _ path: String, _ name: FileName, isOutside source: IndexFolder, _ owned: (FileName) -> Bool
    ) throws {
        let fileSystem = source.fileSystem
        let (nearest, missing) = try fileSystem.nearestFolder(to: path)
        let existing = try fileSystem.resolve(nearest.path).split(separator: "/").map(String.init)
        let whole = existing + missing + [name.string]
        let folder = try fileSystem.resolve(source.handle.path).split(separator: "/").map(
            String.init)
        guard whole.starts(with: folder), let first = whole.dropFirst(folder.count).first,
            let first = FileName(first)
        else { return }
        let names = source.names
        let parts = source.store.assetFolders + [names.index, IndexNames.staging, IndexNames.trash]
        guard parts.contains(where: { $0.folded == first.folded }) || owned(first) else { return }
        throw DirectoryError(
            .invalidLocation, "copy to", URL(filePath: path).appending(path: name.string),
            "it is inside what is copied",
            remedy: "Choose a folder outside of the collection.")
    }
}

extension DirectoryError {
    /// A copy cannot get its place at `url`.
    static func isTaken(_ url: URL, _ reason: String = "there is something with this name")
        -> DirectoryError
    {
        DirectoryError(.nameTaken, "copy to", url, reason, people: .init(reason: reason))
    }
}

extension CopyDestination {
    /// Calls `body` with a new hidden folder, which becomes the copy when `body` returns; if it
    /// throws, the folder is removed.
    ///
    /// Errors of the file system are described if they are about the copy, and not about the original.
    func make(_ body: (Handle) throws -> Void) throws {
        let (hidden, folder) = try DirectoryError.describing("copy to", url) {
            try removeLeftovers()
            return try makeHiddenFolder()
        }
        try withExtendedLifetime(folder) {
            do {
                try body(folder)
                try publish(hidden)
            } catch {
                // Best effort: the next copy into this folder removes what stays.
                if !(error is NotTakenBack) { try? discard(hidden) }
                let error = (error as? NotTakenBack)?.cause ?? error
                guard let error = error as? FileSystemError else { throw error }
                if error.code == .fileExists { throw DirectoryError.isTaken(url) }
                guard error.path.hasPrefix(parent.path(of: hidden)) || error.path == parent.path
                else { throw error }
                throw DirectoryError(error, "copy to", url)
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

    /// Opens and locks a new hidden folder; nil if another copy took it for what a dead process left,
    /// before it was locked.
    private func lock(_ name: FileName) throws -> Handle? {
        guard let folder = try fileSystem.openFolderIfPresent(name, in: parent),
            try fileSystem.tryLock(folder),
            try fileSystem.status(of: name, in: parent) != nil
        else { return nil }
        if let protection = options.protection {
            try fileSystem.protect(folder, mode: options.folderPermissions, as: protection)
        }
        return folder
    }

    private static var prefix: String { "." }
    private static var suffix: String { ".copy" }

    /// Whether `name` is that of a copy that is not finished.
    static func isHidden(_ name: FileName) -> Bool {
        RandomName.matches(name, prefix: prefix, suffix: suffix)
    }
}
