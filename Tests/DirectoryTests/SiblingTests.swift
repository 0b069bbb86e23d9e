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
