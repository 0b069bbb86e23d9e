import Directory
import DirectoryReplicas
import Foundation
import TestSupport
import Testing

/// A reader in another language, and replicas on a real disk.
@Suite struct ReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func device(_ name: String, options: ReplicaOptions = .init()) throws -> (
        projects: Directory<Project>, replica: Replica
    ) {
        let projects = try Directory<Project>(
            at: folder.url.appending(path: "\(name)/store"), index: "projects.json")
        let replica = try Replica(
            of: projects, in: folder.url.appending(path: "shared"),
            children: [
                Child.photos.replicated(), Child.notes.replicated(), Child.tags.replicated(),
                Child.albums.replicated(Child.notes.replicated()),
            ], options: options)
        return (projects, replica)
    }

    @Test func devicesOnADiskAgree() async throws {
        let (a, b) = try (device("a"), device("b"))
        let apollo = Project("Apollo")
        try await a.projects.append(apollo)
        let photo = try await a.projects.child(.photos, of: apollo.id)
            .insert(Data([1, 2, 3]), name: "moon.jpg")
        try await a.replica.sync()
        try await b.replica.sync()
        try await b.projects.update(id: apollo.id) { $0.title = "Apollo 11" }
        try await b.replica.sync()
        try await a.replica.sync()
        #expect(a.projects.items.map(\.title) == ["Apollo 11"])
        let data = try await b.projects.child(.photos, of: apollo.id).data(of: photo.id)
        #expect(data == Data([1, 2, 3]))
        #expect(try await b.projects.verify().isEmpty)
    }

    /// It has long to wait for its turn while other tests use all threads.
    @Test(.timeLimit(.minutes(10))) func runningReplicasFollowEachOther() async throws {
        let options = ReplicaOptions(interval: .milliseconds(100))
        let (a, b) = try (device("a", options: options), device("b", options: options))
        let tasks = [a, b].map { device in Task { await device.replica.run() } }
        try await a.projects.append(Project("Apollo"))
        while b.projects.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(b.projects.items.map(\.title) == ["Apollo"])
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// `Tests/reader/read_replica.py` was written from the documentation of the format alone.
    @Test(.enabled(if: python != nil), arguments: Sweep.cases([false, true], sample: 1))
    func anotherReaderFindsTheSame(compacts: Bool) throws {
        let python = try #require(python)
        var options = ReplicaOptions()
        if compacts { (options.fileLimit, options.changesLimit) = (2, 1) }
        let devices = try ["a", "b", "c"].map { try device($0, options: options) }
        let (a, b) = (devices[0], devices[1])
        let items = (0..<5).map { Project("P\($0)") }
        try a.projects.append(contentsOf: items)
        try a.projects.child(.tags, of: items[0].id).append(Tag(id: "a/b%", color: "red"))
        try a.projects.child(.photos, of: items[1].id).insert(Data([1]), name: "one.jpg")
        let albums = try a.projects.child(.albums, of: items[3].id)
        let album = Album(folderName: "Moon")
        try albums.append(album)
        try albums.child(.notes, of: album.id).append(
            contentsOf: ["1", "2"].map { Note(text: $0) })
        for device in devices { try device.replica.sync() }
        try albums.transfer([album.id], to: a.projects.child(.albums, of: items[1].id))
        try a.projects.update(id: items[2].id) { ($0.note, $0.count) = ("a", 3) }
        try b.projects.update(id: items[2].id) { $0.note = "b" }
        try b.projects.remove(ids: [items[0].id, items[3].id])
        try a.projects.child(.notes, of: items[0].id).append(Note(text: "keeps it"))
        try a.projects.move(fromOffsets: [4], toOffset: 1)
        for _ in 0..<3 { for device in devices { try device.replica.sync() } }
        try a.projects.update(id: items[2].id) { $0.count = nil }
        for _ in 0..<2 { for device in devices { try device.replica.sync() } }

        let found = try read(python)
        let shown = try encoded(Array(a.projects.items))
        #expect(found["projects"] == shown && found["projects"]?.count == 4)
        let inside = try a.projects.child(.albums, of: items[1].id).child(.notes, of: album.id)
        let key = "projects/albums/notes@\(album.id.uuidString)"
        #expect(try found[key] == encoded(inside.loaded()) && inside.count == 2)
        for project in a.projects.items {
            let notes = try a.projects.child(.notes, of: project.id).loaded()
            let photos = try a.projects.child(.photos, of: project.id).loaded()
            let tags = try a.projects.child(.tags, of: project.id).loaded()
            let albums = try a.projects.child(.albums, of: project.id).loaded()
            let key = project.id.uuidString
            #expect(try found["projects/albums@\(key)"] ?? [] == encoded(albums))
            #expect(try found["projects/notes@\(key)"] ?? [] == encoded(notes))
            #expect(try found["projects/photos@\(key)"] ?? [] == encoded(photos))
            #expect(try found["projects/tags@\(key)"] ?? [] == encoded(tags))
        }
    }

    private func encoded(_ items: [some Encodable]) throws -> [NSDictionary] {
        try items.map { item in
            let data = try JSONEncoder().encode(item)
            return try JSONSerialization.jsonObject(with: data) as? NSDictionary ?? NSDictionary()
        }
    }

    private func read(_ python: URL) throws -> [String: [NSDictionary]] {
        let process = Process()
        process.executableURL = python
        let reader = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../reader/read_replica.py").standardizedFileURL
        process.arguments = [reader.path, folder.url.appending(path: "shared").path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let json = try JSONSerialization.jsonObject(with: data)
        return json as? [String: [NSDictionary]] ?? [:]
    }
}

private var python: URL? {
    let places = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return places.map { URL(filePath: "\($0)/python3") }.first {
        FileManager.default.isExecutableFile(atPath: $0.path)
    }
}
