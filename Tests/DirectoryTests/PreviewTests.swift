import Directory
import Foundation
import TestSupport
import Testing

@Suite struct PreviewTests {
    let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func preview() throws -> Directory<Project> {
        try Directory(parent: temporary.url, fileName: "projects.json", isPreview: true)
    }

    @Test func previewRunsEverythingAndTouchesNoDisk() throws {
        let projects = try preview()
        try projects.load()
        let (apollo, gemini) = (Project(title: "Apollo"), Project(title: "Gemini"))
        try projects.append(contentsOf: [apollo, gemini])
        let photos = try projects.child(.photos, of: apollo.id)
        let inserted = try photos.insert([Data([1]), Data([2, 3])])
        try photos.remove(id: inserted[0].id)
        #expect(try photos.readFirst() == Data([2, 3]))
        try projects.update(id: apollo.id) { $0.title = "Vega" }
        #expect(try photos.data(of: inserted[1].id) == Data([2, 3]))
        try photos.transfer([inserted[1].id], to: projects.child(.photos, of: gemini.id))
        try projects.child(.notes, of: apollo.id).append(.eggs)
        try projects.remove(id: gemini.id)
        try projects.checkpoint()
        #expect(projects.items.map(\.title) == ["Vega"])
        #expect(try projects.verify() == [])
        #expect(try temporary.tree() == [])
    }

    @Test func previewReadsNothingFromTheDisk() throws {
        try temporary.write("[", to: "projects.json")
        let projects = try preview()
        try projects.append(Project(title: "Apollo"))
        #expect(projects.count == 1)
        #expect(try temporary.text("projects.json") == "[")
        #expect(try temporary.tree() == ["projects.json"])
    }

    @Test func previewTakesCopiesOfFiles() throws {
        try temporary.write("bytes", to: "a.jpg")
        let photos = try Directory<Photo>(
            parent: temporary.url, fileName: "photos.json", isPreview: true)
        let stage = try photos.makeStage()
        try stage.copy(temporary.file("a.jpg"))
        let photo = try #require(try photos.insert(stage).first)
        #expect(photo.name == "a.jpg")
        #expect(try photos.data(of: photo.id) == Data("bytes".utf8))
        #expect(try temporary.tree() == ["a.jpg"])
    }

    @Test func eachPreviewHasDataOfItsOwn() throws {
        let (first, second) = (try preview(), try preview())
        try first.append(Project(title: "Apollo"))
        try second.load()
        #expect(second.isEmpty)
        try second.append(Project(title: "Apollo"))
        #expect(first.count == 1)
    }

    @Test func collectionThatIsNoPreviewIsOnDisk() throws {
        let notes = try Directory<Note>(parent: temporary.url, fileName: "notes.json")
        try notes.append(.eggs)
        #expect(try temporary.notesOnDisk() == [.eggs])
    }
}
