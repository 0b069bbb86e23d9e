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

    /// Prepares this index as the home of a write that also changes the index at a relative path, which knows nothing of it;
    /// if `isCommitted`, the write takes place.
    func prepareHome(with peerPath: String, index: String, isCommitted: Bool = false) throws {
        let participants = [
            JointHome.Participant(
                paths: [""], index: folder.names.index.string, folder: try folder.mark),
            JointHome.Participant(paths: [peerPath], index: index, folder: "1 1"),
        ]
        try prepare(
            .home(JointHome(participants: participants, machine: folder.options.machine)),
            isCommitted)
    }

    /// Prepares this index as a participant of a write whose home should be at a relative path.
    func prepareParticipant(of homePath: String, index: String) throws {
        try prepare(
            .participant(
                JointParticipant(
                    homePaths: [homePath], home: index, folder: try folder.mark,
                    homeFolder: try folder.open(homePath, index: index)?.mark ?? "1 1",
                    participant: 1,
                    machine: folder.options.machine)))
    }

    /// Prepares the index with a record that has this JSON.
    func prepare(_ json: String) throws {
        let number = IndexNames.transaction(of: name)
        try prepare(#require(JointPart(number, Array(json.utf8)[...], [])), isCommitted: false)
    }

    private func prepare(_ role: JointPart.Role, _ isCommitted: Bool = false) throws {
        let number = IndexNames.transaction(of: name)
        try prepare(JointPart(number, role, []), isCommitted: isCommitted)
    }

    private func prepare(_ part: JointPart, isCommitted: Bool) throws {
        let index = LockedIndex(try folder.lock(), folder.lineReader)
        try withExtendedLifetime(index) {
            try index.refresh()
            if index.known.state.version?.index == nil { try index.rewrite() }
            try index.append(.prepared(part), .durable)
            if isCommitted { try index.append(.committed(part.number), .durable) }
        }
    }

    /// Whether the index has a part in a write to several collections that is not ended.
    var isInJointWrite: Bool { get throws { try folder.jointPart != nil } }
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
