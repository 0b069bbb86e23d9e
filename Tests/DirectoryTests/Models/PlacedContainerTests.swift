import DirectoryTestSupport
@testable import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Containers in the style of the seed library, which know their parent folder.
struct PlacedContainerTests {
    private struct Placed: PlacedContainer {
        var id: Int
        var parent: URL
        var folderName: String
        var photos: Directory<Photo> { get throws { try directory(.photos) } }
    }

    let sandbox: Sandbox
    private let boxes: Directory<Placed>
    private let one: Placed

    init() throws {
        sandbox = try Sandbox()
        boxes = try Directory(at: sandbox.url, index: "placed.json")
        one = Placed(id: 1, parent: sandbox.url, folderName: "One")
    }

    @Test func openingAChildMakesNoFolder() throws {
        #expect(one.folder.path == sandbox.url("One").path)
        #expect(try one.photos.isEmpty)
        #expect(try sandbox.tree().isEmpty)
    }

    @Test func childOpenedThroughTheItemSharesItsItems() throws {
        try boxes.append(one)
        let (first, second) = try (one.photos, boxes.child(.photos, of: 1))
        let photo = try first.insert(Data([1]))
        #expect(second[id: photo.id] == photo)
        #expect(try one.photos.data(of: photo.id) == Data([1]))
        #expect(sandbox.exists("One/photos/\(photo.fileName)"))
    }

    @Test func childHasTheOptionsOfTheCollectionOfItsItem() throws {
        var options = DirectoryOptions(undoLimit: 7)
        options.lockTimeout = .seconds(3)
        let boxes = try Directory<Placed>(
            at: sandbox.url("with options"), index: "placed.json", options: options)
        let item = Placed(id: 1, parent: sandbox.url("with options"), folderName: "One")
        try boxes.append(item)
        let photos = try item.photos
        #expect(photos.core.store.options.undoLimit == 7)
        #expect(try boxes.child(.photos, of: 1).core === photos.core)
        // Without its collection, nobody knows the options.
        let other = Placed(id: 1, parent: sandbox.url("elsewhere"), folderName: "One")
        #expect(try other.photos.core.store.options.undoLimit == 0)
    }

    @Test(arguments: ["", "..", "../outside", "a/b", "a\0b", ".hidden"])
    func invalidFolderNameIsRefused(_ name: String) throws {
        let placed = Placed(id: 1, parent: sandbox.url, folderName: name)
        expectError(.invalidName) { try placed.photos }
        #expect(try sandbox.tree().isEmpty)
    }

    @Test func childOfARenamedContainerOpensThroughTheNewValueOnly() throws {
        try boxes.append(one)
        let before = try one.photos
        try before.insert(Data([1]))
        try boxes.update(id: 1) { $0.folderName = "Uno" }
        expectError(.containerRemoved) { try before.insert(Data([2])) }
        #expect(!sandbox.exists("One"))
        let after = try #require(boxes[id: 1]).photos
        try after.load()
        #expect(after.count == 1)
        try after.insert(Data([2]))
        #expect(after.count == 2)
    }

    @Test func childOpenedThroughTheCollectionSurvivesARename() throws {
        try boxes.append(one)
        let child = try boxes.child(.photos, of: 1)
        let placed = try one.photos
        try boxes.update(id: 1) { $0.folderName = "Uno" }
        try child.insert(Data([1]))
        #expect(placed.count == 1)
        #expect(!sandbox.exists("One"))
    }

    @Test func childOfARemovedContainerMakesNoFolder() throws {
        try boxes.append(one)
        let photos = try one.photos
        try photos.insert(Data([1]))
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        expectError(.containerRemoved) { try photos.insert(Data([2])) }
        expectError(.containerRemoved) { try photos.load() }
        #expect(!sandbox.exists("One"))
    }
}
