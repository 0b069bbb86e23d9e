import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// What the transaction of a process that died leaves of itself, made by hand.
struct Remains {
    let folder: IndexFolder
    let name: FileName
    /// The path of the transaction's folder in `.staging`.
    let staging: String
    /// The path of the transaction's folder in `.trash`.
    let trash: String
    private let sandbox: Sandbox

    /// Remains of a change of the index `index` in the folder at `path`.
    init(
        of index: String, in path: String = "", _ sandbox: Sandbox,
        transaction: String = RandomName.digits()
    ) throws {
        let fileSystem = LocalFileSystem()
        let parent = path.isEmpty ? "" : "\(path)/"
        try sandbox.makeFolder(path)
        let store = IndexStore(
            fileSystem: fileSystem, names: try IndexNames(index, in: sandbox.url(path)),
            options: .init())
        folder = IndexFolder(
            store: store, handle: try fileSystem.openFolder(at: sandbox.url(path).path))
        name = try store.names.transactionFolder(transaction)
        staging = "\(parent).staging/\(name)"
        trash = "\(parent).trash/\(name)"
        self.sandbox = sandbox
    }

    func write(_ intent: Intent) throws {
        try sandbox.write(Data(intent.encoded()), to: "\(staging)/intent")
    }

    /// Writes the intent of a transfer of nothing to the index at a relative path.
    func writeTransfer(to peerPath: String, index: String) throws {
        try write(
            Intent(
                transfer: Intent.Transfer(
                    isSource: true, peerPath: peerPath, peerIndex: index, items: [], folders: [],
                    files: [])))
    }

    /// One side of a transfer, locked.
    func lockedIndex<Item>() throws -> LockedIndex<Item> {
        let lock = try #require(try folder.tryLock())
        return LockedIndex(lock, ItemCoding(folder.options, url: folder.indexURL))
    }
}
