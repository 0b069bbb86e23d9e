import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Files like those that an interrupted transaction leaves; the test makes them.
struct CrashLeftovers {
    let store: IndexStore
    let folder: Handle
    let name: FileName
    /// The path of the transaction's folder in `.staging`.
    let staging: String
    /// The path of the transaction's folder in `.trash`.
    let trash: String
    private let sandbox: Sandbox

    /// Prepares leftovers of a change of the index `index` in the folder at `path`.
    init(
        of index: String, in path: String = "", _ sandbox: Sandbox,
        transaction: String = IndexNames.newTransaction()
    ) throws {
        let fileSystem = LocalFileSystem()
        let parent = path.isEmpty ? "" : "\(path)/"
        try sandbox.makeFolder(path)
        store = IndexStore(
            fileSystem: fileSystem, names: try IndexNames(index, in: sandbox.url(path)),
            options: .init())
        folder = try fileSystem.openFolder(at: sandbox.url(path).path)
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
                    isSource: true, peerPath: peerPath, peerIndex: index, items: [], folders: [],
                    files: [])))
    }

    /// One side of a transfer, with its lock.
    func side<Item>() throws -> LockedTransfer<Item>.Side {
        .init(store: store, folder: folder, lock: try #require(try store.tryLock(in: folder)))
    }
}
