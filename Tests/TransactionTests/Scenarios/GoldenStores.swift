import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport

@testable import Directory

/// The stores in `Fixtures/golden`, which every later version must open.
enum GoldenStore: String, CaseIterable, Sendable {
    /// An index that each commit rewrote, with characters of every kind.
    case small
    /// An index of more than 64 KiB with a journal beside it.
    case journal
    /// An index with the mark of the journal beside it.
    case marked
    /// A journal that names a checkpoint, beside the old index.
    case checkpointBegun
    /// A journal that names a checkpoint, beside the new index.
    case checkpointReplaced
    /// A journal that ends with half a record.
    case torn
    /// Projects with photographs and notes.
    case projects
    /// A rename and a removal whose folders moved, before the commit.
    case changeBegun
    /// The same after the commit, before the intent is removed.
    case changeCommitted
    /// Two projects whose folders have each other's names, before the commit.
    case swapBegun
    /// The same after the commit, before either folder is in its place.
    case swapCommitted
    /// A removal, and a new project with the same name and a note, before the commit.
    case replacementBegun
    /// The same after the commit, before the new folder is in its place.
    case replacementCommitted
    /// A removal, and a rename to the free name, after the commit, before the folder is in its place.
    case successionCommitted
    /// An imported photo and a replaced file in their places, before the commit.
    case importBegun
    /// The same after the commit, before the replaced file is removed.
    case importCommitted
    /// A removal whose undo moved the folder back, before the commit of the undo.
    case undoBegun
    /// The same after the commit, before the folder is in its place.
    case undoCommitted
    /// A project that is brought back, with its folder on the way, before the commit.
    case bringBackBegun
    /// The same after the commit, before the folder is in its place.
    case bringBackPlacing
    /// The same after the commit, before the intent is removed.
    case bringBackCommitted
    /// A write to projects and their notes, prepared in the notes, before it is in the projects.
    case treePrepared
    /// The same prepared in all, with its files moved, before that is decided.
    case treeBegun
    /// The same after the projects decided it, before it is committed in the notes.
    case treeCommitted
    /// The same after it is committed in the notes of one project, before it is in those of the other.
    case treeHalfCommitted
    /// The same after it is committed in all, before the projects end it.
    case treeUnended
    /// The same after that, with the intent still there.
    case treeEnded
    /// A transfer of a photo, prepared where it goes to, before it is where it is.
    case transferPrepared
    /// The same after it was taken back, ended where the photo is, and not yet where it was to go.
    case transferAborting
    /// A transfer of a photo whose file moved, before that is decided.
    case transferBegun
    /// The same after the index decided it that the photo goes to, before it is committed in the one that it leaves.
    case transferCommitted
    /// A transfer of a project whose folder moved, before that is decided.
    case folderTransferUndecided
    /// The same after the index decided it that the project goes to, before it is committed in the one that it leaves.
    case folderTransferBegun
    /// The same after it is committed in both, before it is ended.
    case folderTransferCommitted
    /// A collection that becomes what a copy of it has, with the old folders gone and no new one in its place.
    case restoringMoving
    /// The same, after everything moved and before that is decided.
    case restoringUndecided
    /// The same, after that is decided and before it is ended.
    case restoringBegun
    /// A project that comes back in exchange for the present one, which has moved already.
    case exchangeMoving
    /// The same, after both moved and before that is decided.
    case exchangeUndecided
    /// The same, after that is decided and before it is ended.
    case exchangeBegun
    /// A project and a photo that were removed, and can be brought back for centuries.
    case removed

    /// The folder, in some stores, of the projects to which one is transferred: that of a project.
    static let others = "Project_Mercury"

    static let folder = Fixtures.url.appending(path: "golden")

    var url: URL { Self.folder.appending(path: rawValue).appending(path: "store") }
    /// The file with the items of each index, by its path in the store.
    var expectation: URL { Self.folder.appending(path: rawValue).appending(path: "expected.json") }

    func expected() throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: expectation))
        return json as? [String: Any] ?? [:]
    }
}

extension GoldenStore {
    /// Copies the store, because recovery changes a store; the copy was written on this machine, by a process that
    /// has ended.
    func copy(to copy: URL) throws {
        try FileManager.default.copyItem(at: url, to: copy)
        let machine = DirectoryOptions().machine
        let words = try StageOwner.hiddenFileName(on: machine).string.split(separator: ".")
        let isLinux = words[2] == "linux"
        let owner = words.prefix(isLinux ? 5 : 3) + ["2147483647"] + (isLinux ? ["1"] : [])
        try Self.name(machine, owner.joined(separator: "."), in: copy)
    }

    /// Names the machine that began what is unfinished in `store`, and the file that says which process it was.
    static func name(_ machine: String, _ owner: String, in store: URL) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: store.path) {
            let file = store.appending(path: path)
            let dot = file.lastPathComponent.hasPrefix(".") ? "." : ""
            if file.lastPathComponent.hasPrefix("\(dot)owner.") {
                let new = file.deletingLastPathComponent().appending(path: dot + owner)
                if file != new { try FileManager.default.moveItem(at: file, to: new) }
            }
            switch file.lastPathComponent {
            case "intent", "removed":
                guard var intent = Intent(Array(try Data(contentsOf: file))) else { continue }
                if intent.machine != nil { intent.machine = machine }
                try Data(intent.encoded()).write(to: file)
            case let name where name.hasSuffix(".journal"):
                let journal = try Journal(Array(Data(contentsOf: file)))
                var (tail, bytes) = Journal.new(for: journal.base)
                for record in journal.records {
                    bytes += tail.append(try record.body.begun(by: machine))
                }
                try Data(bytes).write(to: file)
            default: continue
            }
        }
    }
}

extension Journal.Record.Body {
    /// The record of a write that `machine` began.
    fileprivate func begun(by machine: String) throws -> Self {
        guard case .prepared(let part) = self else { return self }
        var role = part.role
        switch role {
        case .home(var list):
            list.machine = machine
            role = .home(list)
        case .participant(var participant):
            participant.machine = machine
            role = .participant(participant)
        case .unknown: role = .unknown(machine: machine)
        }
        return .prepared(try JointPart(part.number, role, part.operations))
    }
}

/// The items of a store as JSON.
enum Contents {
    /// The items of each index by its path in the store; recovers the store if needed.
    static func of(_ store: URL) throws -> [String: Any] {
        if FileManager.default.fileExists(atPath: store.appending(path: "notes.json").path) {
            return ["notes.json": try items(Directory<Note>(at: store, index: "notes.json"))]
        }
        var contents = try ofProjects(in: store, "")
        let others = store.appending(path: GoldenStore.others)
        if FileManager.default.fileExists(atPath: others.appending(path: "projects.json").path) {
            contents.merge(try ofProjects(in: others, "\(GoldenStore.others)/")) { $1 }
        }
        return contents
    }

    private static func ofProjects(in folder: URL, _ path: String) throws -> [String: Any] {
        let projects = try Directory<Project>(at: folder, index: "projects.json")
        var contents = ["\(path)projects.json": try items(projects)]
        for project in projects.items {
            let folder = path + project.folderName
            let notes = try items(projects.child(.notes, of: project.id))
            let photos = try items(projects.child(.photos, of: project.id))
            if notes.count > 0 { contents["\(folder)/notes.json"] = notes }
            if photos.count > 0 { contents["\(folder)/photos.json"] = photos }
        }
        return contents
    }

    private static func items<Item>(_ collection: Directory<Item>) throws -> NSArray {
        try collection.load()
        // It removes what a recovery has set free.
        collection.core.background.wait()
        let json = try JSONEncoder().encode(Array(collection.items))
        return try JSONSerialization.jsonObject(with: json) as? NSArray ?? []
    }
}
