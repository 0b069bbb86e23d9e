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
    /// A write to projects and their notes whose files moved, before the first index commits.
    case treeBegun
    /// The same after the notes committed, before the projects do.
    case treeCommitted

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
    /// Copies the store, because recovery changes a store; the copy was written on this machine.
    func copy(to copy: URL) throws {
        try FileManager.default.copyItem(at: url, to: copy)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
        let machine = DirectoryOptions().machine
        for path in paths {
            let file = copy.appending(path: path)
            switch file.lastPathComponent {
            case "intent":
                guard var intent = Intent(Array(try Data(contentsOf: file))) else { continue }
                if intent.machine != nil { intent.machine = machine }
                try Data(intent.encoded()).write(to: file)
            case "tree", "committed":
                let bytes = Array(try Data(contentsOf: file))
                guard var tree = CheckedLine.decode(TreeIntent.self, from: bytes) else { continue }
                tree.machine = machine
                try Data(CheckedLine.encode(tree)).write(to: file)
            default: continue
            }
        }
    }
}

extension GoldenStore {
    /// Replaces the store by a new one.
    func make() throws {
        let folder = Self.folder.appending(path: rawValue)
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        var maker = Maker(url: url)
        switch self {
        case .small: try maker.notes { try Self.writeSmall($0) }
        case .journal: try maker.notes { try Self.writeLarge($0) }
        case .checkpointBegun: try maker.checkpoint(killedAt: "rename", suffix: "/notes.json")
        case .checkpointReplaced: try maker.checkpoint(killedAt: "remove", suffix: ".notes.journal")
        case .torn: try maker.torn()
        case .projects: try maker.projects { _ in }
        case .changeBegun:
            try maker.change(killedAt: "rename", suffix: "/projects.json")
        case .changeCommitted: try maker.change(killedAt: "remove", suffix: "/intent")
        case .treeBegun: try maker.tree(killedAt: "rename", suffix: "/committed")
        case .treeCommitted: try maker.tree(killedAt: "rename", suffix: "/projects.json")
        }
        try maker.writeExpectation(to: expectation)
    }

    private static func writeSmall(_ notes: Directory<Note>) throws {
        try notes.append(contentsOf: [.eggs, .milk, .salt])
        try notes.append(
            Note(id: -4, title: "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}\u{2028} é e\u{301} ☕️ 𝄞"))
        try notes.move(fromOffsets: [0], toOffset: 2)
        try notes.update(Note(id: 2, title: ""))
    }

    private static func writeLarge(_ notes: Directory<Note>) throws {
        let title = String(repeating: "large ", count: 20)
        try notes.append(contentsOf: (100..<600).map { Note(id: $0, title: "\(title)\($0)") })
        try writeChanges(notes)
    }

    /// Makes commits of every kind.
    fileprivate static func writeChanges(_ notes: Directory<Note>) throws {
        try notes.append(.eggs)
        try notes.insert(.milk, at: 0)
        try notes.append(contentsOf: [.salt, Note(id: 4, title: "☕️\n")])
        try notes.update(Note(id: 1, title: "Brown \"eggs\""))
        try notes.move(fromOffsets: [0, 1], toOffset: 3)
        try notes.remove(id: 3)
        try notes.write { draft in
            try draft.remove(id: 2)
            try draft.append(.salt)
            try draft.update(Note(id: 4, title: "Tea"))
        }
    }

    /// Makes a store in processes that are killed.
    private struct Maker {
        let url: URL
        private var expected: [String: any Encodable] = [:]

        init(url: URL) { self.url = url }

        private func open(on process: ProcessFileSystem, isJournaled: Bool) throws -> Directory<
            Note
        > {
            var options = DirectoryOptions()
            if isJournaled { options.journalThreshold = 0 }
            return try Directory(at: url, index: "notes.json", options: options, on: process)
        }

        /// Makes a store of notes in a process that is killed afterwards.
        mutating func notes(isJournaled: Bool = false, _ body: (Directory<Note>) throws -> Void)
            throws
        {
            let process = ProcessFileSystem(LocalFileSystem())
            let notes = try open(on: process, isJournaled: isJournaled)
            try body(notes)
            expected["notes.json"] = Array(notes.items)
            withExtendedLifetime(notes) { process.kill() }
        }

        mutating func checkpoint(killedAt call: String, suffix: String) throws {
            try notes(isJournaled: true) { notes in
                try notes.append(contentsOf: [Note(id: 9, title: "First")])
                try GoldenStore.writeChanges(notes)
            }
            let dying = ProcessFileSystem(LocalFileSystem()) { _, line in
                line.hasPrefix(call) && line.hasSuffix(suffix) ? .killed : .works
            }
            try? open(on: dying, isJournaled: true).checkpoint()
        }

        mutating func torn() throws {
            try notes(isJournaled: true) { notes in
                try notes.append(Note(id: 9, title: "First"))
                try GoldenStore.writeChanges(notes)
            }
            let journal = url.appending(path: ".notes.journal")
            let whole = try Data(contentsOf: journal)
            let process = ProcessFileSystem(LocalFileSystem())
            let notes = try open(on: process, isJournaled: true)
            try notes.append(Note(id: 10, title: "This commit was torn"))
            withExtendedLifetime(notes) { process.kill() }
            let size = try Data(contentsOf: journal).count
            try Data(contentsOf: journal).prefix((whole.count + size) / 2).write(to: journal)
        }

        /// Makes a store of three projects, which `body` changes in a process that may be killed.
        mutating func projects(
            on process: ProcessFileSystem = ProcessFileSystem(LocalFileSystem()),
            _ body: (Directory<Project>) throws -> Void
        ) throws {
            let first = try Directory<Project>(at: url, index: "projects.json")
            for title in ["Apollo", "Gemini", "Mercury"] {
                let project = Project(title: title)
                try first.append(project)
                let notes = try first.child(.notes, of: project.id)
                try notes.append(Note(id: 1, title: "About \(title)"))
                guard title != "Mercury" else { continue }
                let photos = try first.child(.photos, of: project.id)
                try photos.insert(Data("the first photo of \(title)".utf8), name: "one.jpg")
                try photos.insert(Data("the second photo of \(title)".utf8), name: "zwei ☕️.png")
            }
            let projects = try Directory<Project>(at: url, index: "projects.json", on: process)
            try projects.load()
            try? body(projects)
            withExtendedLifetime(projects) { process.kill() }
        }

        mutating func change(killedAt call: String, suffix: String) throws {
            let process = ProcessFileSystem(LocalFileSystem()) { _, line in
                line.hasPrefix(call) && line.hasSuffix(suffix) ? .killed : .works
            }
            try projects(on: process) { projects in
                try projects.write { draft in
                    try draft.update(id: draft.items[0].id) { $0.title = "Artemis" }
                    try draft.remove(id: draft.items[1].id)
                    try draft.append(Project(title: "Skylab"))
                }
                try projects.checkpoint()
            }
        }

        /// Renames a project, changes its notes, and adds one that comes with notes.
        mutating func tree(killedAt call: String, suffix: String) throws {
            let process = ProcessFileSystem(LocalFileSystem()) { _, line in
                line.hasPrefix(call) && line.hasSuffix(suffix) ? .killed : .works
            }
            try projects(on: process) { projects in
                try projects.write { draft in
                    let (apollo, gemini) = (draft.items[0].id, draft.items[1].id)
                    try draft.update(id: apollo) { $0.title = "Artemis" }
                    for (id, title) in [(apollo, "Renamed"), (gemini, "Docked")] {
                        try draft.write(.notes, of: id) { notes in
                            try notes.append(Note(id: 2, title: title))
                        }
                    }
                    let skylab = Project(title: "Skylab")
                    try draft.append(skylab)
                    try draft.write(.notes, of: skylab.id) { notes in
                        try notes.append(Note(id: 1, title: "About Skylab"))
                    }
                }
            }
        }

        /// Writes the notes that the writer had in memory, or else what a copy of the store holds.
        func writeExpectation(to file: URL) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            if let notes = expected["notes.json"] as? [Note] {
                return try encoder.encode(["notes.json": notes]).write(to: file)
            }
            let copy = try TemporaryFolder()
            let store = copy.url.appending(path: "store")
            try FileManager.default.copyItem(at: url, to: store)
            try JSONSerialization.data(
                withJSONObject: Contents.of(store),
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            ).write(to: file)
        }
    }
}

/// The items of a store as JSON.
enum Contents {
    /// The items of each index by its path in the store; recovers the store if needed.
    static func of(_ store: URL) throws -> [String: Any] {
        if FileManager.default.fileExists(atPath: store.appending(path: "notes.json").path) {
            return ["notes.json": try items(Directory<Note>(at: store, index: "notes.json"))]
        }
        let projects = try Directory<Project>(at: store, index: "projects.json")
        var contents = ["projects.json": try items(projects)]
        for project in projects.items {
            let folder = project.folderName
            let notes = try items(projects.child(.notes, of: project.id))
            let photos = try items(projects.child(.photos, of: project.id))
            if notes.count > 0 { contents["\(folder)/notes.json"] = notes }
            if photos.count > 0 { contents["\(folder)/photos.json"] = photos }
        }
        return contents
    }

    private static func items<Item>(_ collection: Directory<Item>) throws -> NSArray {
        try collection.load()
        let json = try JSONEncoder().encode(Array(collection.items))
        return try JSONSerialization.jsonObject(with: json) as? NSArray ?? []
    }
}
