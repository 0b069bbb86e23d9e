import FileSystem
import Foundation

/// Where a copy is made: a hidden folder beside the one that it becomes.
///
/// The hidden folder is locked as long as its process lives, so that later copies can tell what a
/// process left that has died.
struct CopyDestination {
    let url: URL
    private let fileSystem: any FileSystem
    private let options: DirectoryOptions
    private let name: FileName
    private let parent: Handle

    /// Finds the folder that `url` will be in, and makes it if it is missing.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation`; `nameTaken` if there is something at `url`.
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
        parent = try DirectoryError.describing("copy to", url) { [fileSystem, options] in
            try fileSystem.openOrMakeFolder(
                at: path, mode: options.folderPermissions, as: options.protection)
        }
        guard try fileSystem.status(of: name, in: parent) == nil else { throw isTaken }
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

    private var isTaken: DirectoryError {
        DirectoryError(.nameTaken, "copy to", url, "there is something with this name")
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
                try? fileSystem.removeTree(hidden, in: parent)
                guard let error = error as? FileSystemError else { throw error }
                if error.code == .fileExists { throw isTaken }
                guard error.path.hasPrefix(parent.path(of: hidden)) || error.path == parent.path
                else { throw error }
                throw DirectoryError(error, "copy to", url)
            }
        }
    }

    /// Gives the hidden folder its name; if that cannot be made durable, takes the name away.
    private func publish(_ hidden: FileName) throws {
        try fileSystem.rename(hidden, in: parent, to: name, in: parent, replacing: false)
        do {
            try fileSystem.sync(parent)
        } catch {
            // Best effort: what stays is a whole copy.
            try? fileSystem.rename(name, in: parent, to: hidden, in: parent, replacing: false)
            throw error
        }
    }

    /// Removes the hidden folders of processes that have died.
    private func removeLeftovers() throws {
        for name in try fileSystem.list(parent) where Self.isHidden(name) {
            guard try fileSystem.status(of: name, in: parent)?.kind == .folder,
                let folder = try fileSystem.openFolderIfPresent(name, in: parent),
                try fileSystem.tryLock(folder)
            else { continue }
            try withExtendedLifetime(folder) { try fileSystem.removeTree(name, in: parent) }
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
