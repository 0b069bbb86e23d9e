import Directory
import Foundation
import TestSupport
import Testing

@Suite struct CollectionTests {
    let temporary: TemporaryFolder
    let notes: Directory<Note>

    init() throws {
        temporary = try TemporaryFolder()
        notes = try Directory(at: temporary.url, index: "notes.json")
    }

    private func index() throws -> String {
        try String(contentsOf: temporary.url.appending(path: "notes.json"), encoding: .utf8)
    }

    @Test func missingIndexIsEmpty() throws {
        try notes.load()
        #expect(notes.isEmpty)
        #expect(notes.phase == .loaded)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).isEmpty)
    }

    @Test func indexHasOneItemALine() throws {
        try notes.append(contentsOf: [.eggs, .milk])
        #expect(
            try index() == """
                [
                {"id":1,"title":"Eggs"},
                {"id":2,"title":"Milk"}
                ]

                """)
        try notes.remove(id: 1)
        try notes.remove(id: 2)
        #expect(try index() == "[]\n")
    }

    @Test func photosOfAProject() throws {
        let projects = try Directory<Project>(
            at: temporary.url.appending(path: "new/Projects"), index: "projects.json")
        let project = Project(title: "Apollo")
        try projects.append(project)
        let photos = try projects.child(.photos, of: project.id)
        let photo = try photos.insert(Data([0xFF, 0xD8, 0xFF, 1, 2, 3]))
        #expect(photo.fileName.hasSuffix(".jpg"))
        #expect(try photos.data(of: photo.id).count == 6)
        try projects.update(id: project.id) { $0.title = "Gemini" }
        #expect(try photos.data(of: photo.id).count == 6)
        #expect(try photos.url(of: photo.id).path.contains("Project_Gemini"))
        try photos.remove(id: photo.id)
        try projects.remove(id: project.id)
        #expect { try photos.insert(Data([1])) } throws: {
            ($0 as? DirectoryError)?.code == .containerRemoved
        }
        try projects.checkpoint()
        print(try FileManager.default.subpathsOfDirectory(atPath: temporary.url.path))
    }
}
