import Directory
import Foundation
import TestSupport
import Testing

/// Several indexes in one folder, and items of one index that claim one folder.
@Suite struct SiblingTests {
    let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open(_ index: String) throws -> Directory<Project> {
        try Directory(at: temporary.url, index: index)
    }

    @Test func emptyFolderOfAnotherIndexIsNotAdopted() throws {
        try open("boxes.json").append(Project(title: "One"))
        expectError(.nameTaken) { try open("people.json").append(Project(title: "One")) }
    }

    @Test func containerCannotTakeTheAssetsFolderOfAnotherIndex() throws {
        let photos = try Directory<Photo>(at: temporary.url, index: "Project_Photos.json")
        let photo = try photos.insert(Data([1, 2, 3]))
        expectError(.nameTaken) { try open("projects.json").append(Project(title: "photos")) }
        #expect(try photos.data(of: photo.id) == Data([1, 2, 3]))
    }

    @Test func secondOfTwoItemsWithOneFolderDoesNotOpenIt() throws {
        let (first, second) = (UUID(), UUID())
        let index = """
            [
            {"id":"\(first)","title":"One"},
            {"id":"\(second)","title":"ONE"}
            ]

            """
        try Data(index.utf8).write(to: temporary.url.appending(path: "boxes.json"))
        let boxes = try open("boxes.json")
        try boxes.load()
        try boxes.child(.notes, of: first).append(.milk)
        expectError(.nameTaken) { _ = try boxes.child(.notes, of: second) }
        #expect(try boxes.verify().map(\.kind) == [.unusableName])
        try boxes.repair()
        try boxes.remove(id: second)
        #expect(try boxes.verify().isEmpty)
        let notes = try boxes.child(.notes, of: first)
        try notes.load()
        #expect(Array(notes.items) == [.milk])
    }
}

extension SiblingTests {
    @Test func secondOfTwoItemsWithOneFileKeepsItWhenTheFirstGoes() throws {
        let photos = try Directory<Photo>(at: temporary.url, index: "photos.json")
        let moon = try photos.insert(Data([1, 2, 3]), name: "moon.png")
        let index = temporary.url.appending(path: "photos.json")
        let line = try String(contentsOf: index, encoding: .utf8).split(separator: "\n")[1]
        let twin = UUID()
        let copy = line.replacingOccurrences(
            of: "\"id\":\"\(moon.id)\"", with: "\"id\":\"\(twin)\"")
        try Data("[\n\(line),\n\(copy)\n]\n".utf8).write(to: index)
        #expect(try photos.verify().map(\.kind) == [.unusableName])
        try photos.remove(id: moon.id)
        try photos.checkpoint()
        #expect(try photos.data(of: twin) == Data([1, 2, 3]))
        #expect(try photos.verify().isEmpty)
    }

    @Test func whatLiesInPlaceOfAFileStaysWhenItsItemGoes() throws {
        let photos = try Directory<Photo>(at: temporary.url, index: "photos.json")
        let photo = try photos.insert(Data([1, 2, 3]))
        let file = temporary.url.appending(path: "photos/\(photo.fileName)")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: temporary.url)
        try photos.remove(id: photo.id)
        try photos.checkpoint()
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: file.path)
        #expect(URL(filePath: target).path == temporary.url.path)
        #expect(!FileManager.default.fileExists(atPath: temporary.url.path + "/.staging"))
    }

    @Test func sizeIsThatOfTheCopy() throws {
        // Files of proc(5) say that they are empty.
        let source = URL(filePath: "/proc/version")
        guard FileManager.default.fileExists(atPath: source.path) else { return }
        let photos = try Directory<Photo>(at: temporary.url, index: "photos.json")
        let stage = try photos.makeStage()
        try stage.copy(source)
        let photo = try photos.insert(stage)[0]
        #expect(photo.byteCount > 0)
        #expect(try photos.data(of: photo.id).count == photo.byteCount)
    }
}
