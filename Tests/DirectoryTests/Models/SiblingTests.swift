import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// Several indexes in one folder, and several items of one index with the same folder or file.
struct SiblingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func open(_ index: String) throws -> Directory<Project> {
        try Directory(at: sandbox.url, index: index)
    }

    @Test func emptyFolderOfAnotherIndexIsNotAdopted() throws {
        try open("boxes.json").append(Project(title: "One"))
        expectError(.nameTaken) { try open("people.json").append(Project(title: "One")) }
    }

    @Test func containerCannotTakeTheAssetsFolderOfAnotherIndex() throws {
        let photos = try Directory<Photo>(at: sandbox.url, index: "Project_Photos.json")
        let photo = try photos.insert(Data([1, 2, 3]))
        expectError(.nameTaken) { try open("projects.json").append(Project(title: "photos")) }
        #expect(try photos.data(of: photo.id) == Data([1, 2, 3]))
    }

    @Test func onlyTheFirstOfTwoItemsWithOneFolderCanOpenIt() throws {
        let (first, second) = (UUID(), UUID())
        let index = """
            [
            {"id":"\(first)","title":"One"},
            {"id":"\(second)","title":"ONE"}
            ]

            """
        try sandbox.write(index, to: "boxes.json")
        let boxes = try open("boxes.json")
        try boxes.load()
        try boxes.child(.notes, of: first).append(.milk)
        expectError(.nameTaken) { _ = try boxes.child(.notes, of: second) }
        #expect(try boxes.verify().map(\.kind) == [.unusableName])
        try boxes.repair()
        try boxes.remove(id: second)
        #expect(try boxes.verify().isEmpty)
        #expect(try boxes.notes(of: first) == [.milk])
    }

    @Test func fileOfTwoItemsStaysWhenTheFirstIsRemoved() throws {
        let photos = try Directory<Photo>(at: sandbox.url, index: "photos.json")
        let moon = try photos.insert(Data([1, 2, 3]), name: "moon.png")
        let line = try sandbox.text("photos.json").split(separator: "\n")[1]
        let twin = UUID()
        let copy = line.replacingOccurrences(
            of: "\"id\":\"\(moon.id)\"", with: "\"id\":\"\(twin)\"")
        try sandbox.write("[\n\(line),\n\(copy)\n]\n", to: "photos.json")
        #expect(try photos.verify().map(\.kind) == [.unusableName])
        try photos.remove(id: moon.id)
        try photos.checkpoint()
        #expect(try photos.data(of: twin) == Data([1, 2, 3]))
        #expect(try photos.verify().isEmpty)
    }
}
