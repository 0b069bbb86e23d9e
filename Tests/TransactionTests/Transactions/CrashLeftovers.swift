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

    /// Writes the list of a write to this index and to one at a relative path, which knows nothing of it.
    func writeTree(with peerPath: String, index: String) throws {
        let state = IndexFingerprint(ofLines: []).text
        func participant(_ path: String, _ index: String) -> JointList.Participant {
            .init(paths: [path], index: index, before: state, after: "1 0", operations: [])
        }
        try write(
            JointList(
                participants: [
                    participant("", folder.names.index.string), participant(peerPath, index),
                ], machine: folder.options.machine))
    }

    /// Writes the pointer of a write whose list should be at a relative path.
    func writePointer(to peerPath: String, index: String) throws {
        try write(
            JointPointer(
                homePaths: [peerPath], home: index, number: 1, machine: folder.options.machine))
    }

    private func write(_ record: some Encodable) throws {
        try sandbox.write(Data(CheckedLine.encode(record)), to: "\(staging)/tree")
    }
}

extension Intent {
    /// That of a commit that only renames the box with `id`.
    static func rename(
        _ from: FileName, to: FileName, id: Int = 1, isParked: Bool = false
    ) -> Self {
        func line(_ name: FileName) -> String { #"{"folderName":"\#(name)","id":\#(id)}"# }
        return Intent(folders: [
            .init(item: line(to), before: line(from), from: from, to: to, isParked: isParked)
        ])
    }
}
