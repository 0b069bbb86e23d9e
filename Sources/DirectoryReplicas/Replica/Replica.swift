public import Directory
package import FileSystem
public import Foundation
public import Observation
import Synchronization

/// Keeps a collection, and the collections in its containers, the same on several devices, through a folder that
/// Syncthing, iCloud Drive, rclone, git or a USB stick carries.
///
/// The store stays where it is. The shared folder is a mailbox, and has only files that never change:
///
///     let replica = try Replica(
///         of: projects, in: sharedFolder,
///         children: [Child.photos.replicated(), Child.notes.replicated()])
///     try replica.sync()
///
/// Behaviour:
/// - A change of this device is never lost: it is shown, or a device that had seen it replaced it, or it is one of the
///   values of a conflict.
/// - Changes of other devices come in one commit, if the process can have so many files open. They never overwrite a
///   change of this device that was not published before.
/// - An item whose file has not arrived is not shown, and everything else goes on.
/// - Files in the shared folder that are damaged, or were written by somebody else, are left alone and named.
/// - Clocks only decide which value of a conflict is shown first.
public final class Replica: Sendable, Observable {
    let sessions: SessionHolder
    let published = Mutex(Published())
    let registrar = ObservationRegistrar()
    let root: Root
    let interval: Duration

    /// The values that observers see.
    struct Published: Sendable {
        var status = Status.idle
        var pending: [PendingItem] = []
        var conflicts: [Conflict] = []
        var devices: [Device] = []
        var unreadable: [UnreadableItem] = []
        var unreadableCollections: [UnreadableCollection] = []
        var unusedFiles: [UnusedFile] = []
    }

    /// Opens a replica of a collection and of collections in its containers.
    ///
    /// Nothing is published before the first sync.
    ///
    /// - Parameters:
    ///   - root: The collection.
    ///   - folder: The folder that all devices share, which is made if it is missing. Neither it nor the folder of the
    ///     collection is inside the other.
    ///   - children: The collections in containers that are kept the same too.
    ///   - options: The name of this device, and the limits of the replica.
    /// - Throws: ``ReplicaError`` with `unsupportedID`, `fixedFolderName`, `invalidLocation` or `ioFailure`;
    ///   `DirectoryError`, such as `damagedIndex`, if the collection cannot be loaded.
    public convenience init<Item: Container>(
        of root: Directory<Item>, in folder: URL, children: [ReplicatedChild],
        options: ReplicaOptions = .init()
    ) throws {
        try self.init(
            root: root, in: folder, on: fileSystem(at: folder), children: children,
            options: options, environment: .system)
    }

    /// Opens a replica of a collection.
    ///
    /// - Throws: ``ReplicaError`` with `unsupportedID`, `invalidLocation` or `ioFailure`; `DirectoryError`, such as
    ///   `damagedIndex`, if the collection cannot be loaded.
    public convenience init<Item: Codable & Identifiable & Sendable>(
        of root: Directory<Item>, in folder: URL, options: ReplicaOptions = .init()
    ) throws where Item.ID: Sendable {
        try self.init(
            root: root, in: folder, on: fileSystem(at: folder), children: [], options: options,
            environment: .system)
    }

    package init<Item: Codable & Identifiable & Sendable>(
        root directory: Directory<Item>, in folder: URL, on disk: any FileSystem,
        children: [ReplicatedChild], options: ReplicaOptions, environment: ReplicaEnvironment
    ) throws where Item.ID: Sendable {
        let collection = LineCollection(directory)
        let kind = collection.stem.string
        let binding = Binding(
            kind: kind, name: kind,
            children: children.map {
                $0.binding(
                    Kind.child($0.name, of: kind), collection.optionsOfChildren, collection.url)
            }, coding: LineCoding(of: Item.self, collection.options, at: collection.url))
        let root = Root(collection: collection, binding: binding)
        let session = Session(
            root: root, folder: folder, on: disk, options: options, environment: environment)
        for binding in session.kinds.values {
            if let reason = binding.reasonAgainstIDs {
                throw ReplicaError(.unsupportedID, directory.url, reason)
            }
        }
        try root.checkThatIsApart(from: folder, on: disk)
        try directory.load()
        try root.checkNames()
        self.root = root
        interval = options.interval
        sessions = SessionHolder(session)
    }
}

extension ReplicaEnvironment {
    /// The clock and the random numbers of the system.
    static var system: Self {
        Self(
            now: { Int(Date().timeIntervalSince1970 * 1000) },
            random: { UInt64.random(in: .min ... .max) })
    }
}

extension Root {
    /// Throws if the shared folder is a file, or in the folder of the collection, or the other way round.
    ///
    /// Then an engine would carry the collection itself, or the shared folder could be taken for that of a container.
    fileprivate func checkThatIsApart(from shared: URL, on disk: any FileSystem) throws {
        let (store, other): ([FileName], [FileName])
        do {
            store = try collection.disk.resolvedPath(of: url.deletingLastPathComponent())
            other = try disk.resolvedPath(of: shared)
        } catch let error as FileSystemError {
            throw ReplicaError(error, of: url, shared: shared)
        }
        guard store.starts(with: other) || other.starts(with: store) else { return }
        throw ReplicaError(
            .invalidLocation, shared,
            "the shared folder and that of the collection must not be in each other; take one beside it"
        )
    }

    /// Throws if a container has a folder name that nobody could change.
    fileprivate func checkNames() throws {
        guard binding.ownsFolders else { return }
        for line in collection.lines {
            guard let name = line.folderName else { return }
            try binding.checkThatNameCanChange(
                line, name, of: binding.key(of: line.id, in: nil), url)
        }
    }
}

extension FileSystem {
    /// The names on the way to a folder, which need not exist, without links.
    fileprivate func resolvedPath(of folder: URL) throws -> [FileName] {
        let (nearest, missing) = try nearestFolder(to: folder.path(percentEncoded: false))
        return try resolve(nearest.path) + missing.compactMap { FileName($0) }
    }
}
