import Directory
import FileSystem
import Foundation

/// The file of an item cannot be read, or not be written for others, who may not have it; everything else can go on.
struct UnreadAsset: Error, Sendable {
    let path: String
    let reason: String
}

extension Session {
    /// Puts the bytes of the file of an item into the shared folder; nil if it is missing, or if that cannot be done now,
    /// which is noted.
    mutating func publishAsset(
        _ name: String, of item: ItemReference, _ collection: CollectionReference,
        _ open: OpenReplica
    ) throws -> FileValue? {
        do {
            return try sendAsset(name, collection, open)
        } catch let unread as UnreadAsset {
            notes.unreadAssets[item] = unread
            return nil
        }
    }

    /// The same, but throws ``UnreadAsset`` if it cannot be done now; `request` is the segment that asked for the file
    /// again.
    func sendAsset(
        _ name: String, _ collection: CollectionReference, _ open: OpenReplica,
        answering request: Dot? = nil
    ) throws -> FileValue? {
        try cancellation.check()
        do {
            guard let source = try localAsset(name, collection) else { return nil }
            do {
                let (hash, size) =
                    environment.steps.sendsAssets
                    ? try open.shared.publish(source, answering: request)
                    : try SharedFolder.hash(source.handle, on: source.fileSystem)
                return FileValue(name: name, hash: hash, size: size)
            } catch let error as FileSystemError where error.isAboutOneFile {
                let isSource = error.path == source.handle.path
                guard let path = isSource ? error.path : open.shared.pathInAssets(error.path)
                else { throw error }
                throw UnreadAsset(path: path, reason: error.reason)
            }
        } catch let error as DirectoryError where error.isAboutOneCollection {
            let path = (error.underlying as? FileSystemError)?.path
            throw UnreadAsset(path: path ?? error.url.path, reason: error.reason)
        }
    }

    /// Writes assets that items have but somebody removed, and removes assets that no item has: every hour.
    mutating func checkAssets(_ open: OpenReplica) throws {
        let now = environment.now()
        notes.unsentAssets = [:]
        let day = 86_400
        try open.shared.removeTemporaryFiles(before: now / 1000 - day)
        for (kind, items) in known.base.items where kinds[kind]?.ownsFiles == true {
            for (key, shown) in items {
                try cancellation.check()
                guard let file = shown.file, let name = shown.fileName,
                    try open.shared.findAsset(file) == nil
                else { continue }
                do {
                    _ = try sendAsset(name, .init(kind, in: shown.container), open)
                } catch let unread as UnreadAsset {
                    notes.unsentAssets[.init(kind, key)] = unread
                }
            }
        }
        let used = known.state.files
        // Also if removed items are forgotten at once: an engine brings files in any order.
        let age = max(options.secondsOfMemory, day)
        let vectors = known.state.knownDevices.map { known.state.acknowledged[$0] ?? .init() }
        // A device that has not seen everything may need an asset that this one does not, and so may what waits here.
        guard waiting.isEmpty, vectors.allSatisfy({ $0.covers(known.shown) }) else { return }
        try open.shared.removeAssets(before: now / 1000 - age) { used.contains($0) }
    }

    /// The file `name` of a collection of this device; nil if it is missing, or if its container cannot be reached now.
    private func localAsset(_ name: String, _ collection: CollectionReference) throws
        -> ImportSource?
    {
        try localCollection(collection)?.openAsset(name)
    }

    /// Opens a collection of this device; nil if its container is not there, or cannot be reached now.
    func localCollection(_ reference: CollectionReference) throws -> LineCollection? {
        try path(to: reference)?.open()
    }

    /// The way to a collection; nil if a collection above cannot be read now.
    private func path(to collection: CollectionReference) -> CollectionPath? {
        guard let container = collection.container else { return CollectionPath(to: root) }
        guard let binding = kinds[collection.kind],
            let kind = Kind.parent(of: collection.kind)
        else { return nil }
        var above = CollectionReference(kind, in: nil)
        if Kind.parent(of: kind) != nil {
            let item = ItemReference(kind, container)
            guard let key = places[item] ?? known.base[item]?.container else { return nil }
            above.container = key
            if unreadable[above] != nil { return nil }
        }
        return path(to: above)?.child(binding, in: container)
    }
}
