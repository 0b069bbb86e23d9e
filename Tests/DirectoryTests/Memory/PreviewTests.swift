import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct PreviewTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func preview() throws -> Directory<Project> {
        try Directory(parent: sandbox.url, fileName: "projects.json", isPreview: true)
    }

    @Test func everyOperationWorksInAPreviewAndTouchesNoDisk() throws {
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
        #expect(try sandbox.paths() == [])
    }

    @Test func previewReadsNothingFromTheDisk() throws {
        try sandbox.write("[", to: "projects.json")
        let projects = try preview()
        try projects.append(Project(title: "Apollo"))
        #expect(projects.count == 1)
        #expect(try sandbox.text("projects.json") == "[")
        #expect(try sandbox.paths() == ["projects.json"])
    }

    @Test func previewImportsFilesFromTheDisk() throws {
        try sandbox.write("bytes", to: "a.jpg")
        let photos = try Directory<Photo>(
            parent: sandbox.url, fileName: "photos.json", isPreview: true)
        let stage = try photos.makeStage()
        try stage.copy(sandbox.url("a.jpg"))
        let photo = try #require(try photos.insert(stage).first)
        #expect(photo.name == "a.jpg")
        #expect(try photos.data(of: photo.id) == Data("bytes".utf8))
        #expect(try sandbox.paths() == ["a.jpg"])
    }

    @Test func twoPreviewsShareNoData() throws {
        let (first, second) = (try preview(), try preview())
        try first.append(Project(title: "Apollo"))
        try second.load()
        #expect(second.isEmpty)
        try second.append(Project(title: "Apollo"))
        #expect(first.count == 1)
    }

    @Test func collectionIsOnDiskByDefault() throws {
        let notes = try Directory<Note>(parent: sandbox.url, fileName: "notes.json")
        try notes.append(.eggs)
        #expect(try sandbox.notesOnDisk() == [.eggs])
    }

    @Test func itemOfAPreviewOpensItsChildrenInMemory() throws {
        let album = Album(name: "Moon", parent: sandbox.url)
        do {
            let albums = try Directory<Album>(
                parent: sandbox.url, fileName: "albums.json", isPreview: true)
            try albums.append(album)
            for parent in [sandbox.url, sandbox.url("a/.."), URL(filePath: sandbox.url.path)] {
                let same = Album(name: "Moon", parent: parent)
                try same.directory(.photos).insert(Data([1]))
            }
            let photos = try albums.child(.photos, of: album.id)
            try photos.load()
            #expect(photos.count == 3)
            #expect(try sandbox.paths() == [])
        }
        try album.directory(.notes).append(.eggs)
        #expect(sandbox.exists("Moon/notes.json"))
    }
}
