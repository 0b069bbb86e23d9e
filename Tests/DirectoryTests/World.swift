import Directory
import FileSystem
import Foundation
import TestSupport

/// What a store holds as its users see it: projects with photographs, and an archive.
struct World: Equatable, CustomStringConvertible {
    /// The title of each project, and the names and bytes of its photographs.
    struct Entry: Equatable {
        var title: String
        var photos: [String: Data]
    }

    var projects: [Entry] = []
    var archive: [Entry] = []

    var description: String {
        func text(_ entries: [Entry]) -> String {
            entries.map { "\($0.title): \($0.photos.keys.sorted().joined(separator: " "))" }
                .joined(separator: ", ")
        }
        return "[\(text(projects)) | \(text(archive))]"
    }
}

/// A store of projects and an archive of projects on some file system.
struct Store {
    let projects: Directory<Project>
    let archive: Directory<Project>

    init(on fileSystem: any FileSystem, _ commits: Commits = .rewrite) throws {
        var options = DirectoryOptions()
        if commits != .rewrite { options.journalThreshold = 0 }
        // So that some records fit into the padding, and some do not.
        options.journalGrowth = 200
        projects = try Directory(
            at: URL(filePath: "/store/projects"), index: "projects.json", options: options,
            on: fileSystem)
        archive = try Directory(
            at: URL(filePath: "/store/archive"), index: "archive.json", options: options,
            on: fileSystem)
    }

    /// Apollo has two photographs, Gemini one, Mercury none.
    static func fill(_ fileSystem: any FileSystem) throws {
        let store = try Store(on: fileSystem)
        for (title, photos) in [("Apollo", ["a", "b"]), ("Gemini", ["c"]), ("Mercury", [])] {
            let project = Project(title: title)
            try store.projects.append(project)
            let album = try store.projects.child(.photos, of: project.id)
            for photo in photos { try album.insert(Data(photo.utf8), name: photo) }
        }
        try store.finish()
    }

    /// Leaves a journal beside each index that has items, as a process that was killed does.
    static func addJournals(_ fileSystem: any FileSystem) throws {
        let process = ProcessFileSystem(fileSystem)
        let store = try Store(on: process, .journal)
        try store.projects.load()
        for project in store.projects.items {
            try store.projects.update(project)
            let album = try store.projects.child(.photos, of: project.id)
            try album.load()
            for photo in album.items { try album.update(photo) }
        }
        process.kill()
    }

    func project(_ title: String) throws -> Project {
        try projects.load()
        guard let project = projects.items.first(where: { $0.title == title }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return project
    }

    func album(_ title: String) throws -> Directory<Photo> {
        try projects.child(.photos, of: project(title).id)
    }

    /// Waits for what goes on behind the commits.
    func finish() throws {
        for collection in [projects, archive] {
            try collection.checkpoint()
            try collection.load()
            for project in collection.items {
                try collection.child(.photos, of: project.id).checkpoint()
            }
        }
    }

    func world() throws -> World {
        World(projects: try entries(of: projects), archive: try entries(of: archive))
    }

    private func entries(of collection: Directory<Project>) throws -> [World.Entry] {
        try collection.load()
        return try collection.items.map { project in
            let album = try collection.child(.photos, of: project.id)
            try album.load()
            let photos = try album.items.map { ($0.name, try album.data(of: $0.id)) }
            return .init(title: project.title, photos: Dictionary(uniqueKeysWithValues: photos))
        }
    }

    func findings() throws -> [Finding] {
        var findings: [Finding] = []
        for collection in [projects, archive] {
            findings += try collection.verify()
            for project in collection.items {
                findings += try collection.child(.photos, of: project.id).verify()
            }
        }
        return findings
    }
}

/// The changes whose every step the sweeps interrupt.
enum Change: CaseIterable, Sendable {
    case append, update, reorder, rename, renameCaseOnly, removeContainer, removePhoto, importBatch
    case several, transferContainer, transferPhoto

    func make(in store: Store) throws {
        switch self {
        case .append: try store.projects.append(Project(title: "Vostok"))
        case .update: try store.projects.update(store.project("Mercury"))
        case .reorder: try store.projects.move(fromOffsets: [0], toOffset: 3)
        case .rename:
            try store.projects.update(id: store.project("Apollo").id) { $0.title = "Soyuz" }
        case .renameCaseOnly:
            try store.projects.update(id: store.project("Apollo").id) { $0.title = "APOLLO" }
        case .removeContainer: try store.projects.remove(id: store.project("Apollo").id)
        case .removePhoto:
            let album = try store.album("Apollo")
            try album.load()
            try album.remove(id: album.items[0].id)
        case .importBatch:
            let album = try store.album("Apollo")
            let stage = try album.makeStage()
            for name in ["x", "y", "z"] { try stage.write(Data(name.utf8), name: name) }
            try album.insert(stage)
        case .several:
            let (apollo, gemini) = (try store.project("Apollo"), try store.project("Gemini"))
            try store.projects.write { draft in
                try draft.remove(id: apollo.id)
                try draft.update(id: gemini.id) { $0.title = "Skylab" }
                try draft.append(Project(title: "Vostok"))
            }
        case .transferContainer:
            try store.projects.transfer([store.project("Apollo").id], to: store.archive)
        case .transferPhoto:
            let album = try store.album("Apollo")
            try album.load()
            try album.transfer([album.items[0].id], to: store.album("Gemini"))
        }
    }
}

/// How the indexes of a store take in changes.
enum Commits: CaseIterable, Sendable {
    /// Each change writes the index anew.
    case rewrite
    /// The first change makes a journal.
    case newJournal
    /// There are journals already.
    case journal
}

/// A change of a store.
struct Scenario: Sendable, CustomStringConvertible {
    let change: Change
    let commits: Commits

    static let all = Change.allCases.flatMap { change in
        Commits.allCases.map { Scenario(change: change, commits: $0) }
    }

    var description: String { "\(change), \(commits)" }

    func store(on fileSystem: any FileSystem) throws -> Store {
        try Store(on: fileSystem, commits)
    }
}

/// What a change does when nobody interrupts it.
struct Outcome {
    /// The disk before the change.
    let disk: MemoryFileSystem.Image
    let before: World
    let after: World
    /// The number of system calls from opening the store until nothing is left to do.
    let calls: Int

    init(of scenario: Scenario) throws {
        let filled = MemoryFileSystem()
        try Store.fill(filled)
        if scenario.commits == .journal { try Store.addJournals(filled) }
        disk = filled.image
        before = try scenario.store(on: MemoryFileSystem(disk)).world()
        let process = ProcessFileSystem(filled)
        let store = try scenario.store(on: process)
        try scenario.change.make(in: store)
        try store.finish()
        calls = process.calls
        after = try scenario.store(on: ProcessFileSystem(filled)).world()
    }
}

/// How thoroughly the sweeps go through all calls: `SWEEP=full` leaves none out.
enum Sweep {
    private static let isFull = ProcessInfo.processInfo.environment["SWEEP"] == "full"

    /// The numbers from 0 to `count`, or every `step`th of them from a random one on.
    static func numbers(below count: Int, step: Int) -> StrideTo<Int> {
        isFull
            ? stride(from: 0, to: count, by: 1)
            : stride(from: .random(in: 0..<step), to: count, by: step)
    }

    /// All of `cases`, or so many of them at random.
    static func some<Case>(_ cases: [Case], _ count: Int) -> [Case] {
        isFull ? cases : Array(cases.shuffled().prefix(count))
    }
}
