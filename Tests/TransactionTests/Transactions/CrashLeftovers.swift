import DirectoryTestSupport
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Files like those that an interrupted transaction leaves; the test makes them.
struct CrashLeftovers {
    let folder: IndexFolder
    let name: FileName
    /// The path of the transaction's folder in `.staging`.
    let staging: String
    /// The path of the transaction's folder in `.trash`.
    let trash: String
    private let sandbox: Sandbox

    /// Prepares leftovers of a change of the index `index` in the folder at `path`.
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

    /// Writes the intent of a transfer without items to the index at a relative path.
    func writeTransfer(to peerPath: String, index: String) throws {
        try write(
            Intent(
                transfer: Intent.Transfer(
                    target: .init(path: peerPath, index: index), items: [], folders: [], files: []))
        )
    }

    /// Locks the index, as one side of a transfer.
    func lockedIndex<Item>() throws -> LockedIndex<Item> {
        let lock = try #require(try folder.tryLock())
        return LockedIndex(lock, ItemCoding(folder.options, url: folder.indexURL))
    }
}
