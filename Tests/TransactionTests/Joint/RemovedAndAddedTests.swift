import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A write that removes an item here and adds it there does not move what it owns, so it is refused.
struct RemovedAndAddedTests {
    private let sandbox: Sandbox
    private let boxes: Directory<Box>
    private let part = Box(id: 7, folderName: "Part")

    /// The boxes One and Two; a part in One with a note.
    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.twoBoxes()
        let parts = try boxes.child(.parts, of: 1)
        try parts.append(part)
        try parts.child(.notes, of: 7).append(.salt)
    }

    /// Expects an error that names the call to use, and no change.
    private func expectRefusal(_ write: (inout Directory<Box>.Draft) throws -> Void) throws {
        let before = try sandbox.tree().filter { !$0.key.hasSuffix(".lock") }
        let error = expectError(.contentsLeftBehind) { try boxes.write(write) }
        #expect(error?.remedy?.contains("transfer") == true)
        #expect(error?.reason.contains("Part") == true)
        #expect(try sandbox.tree().filter { !$0.key.hasSuffix(".lock") } == before)
    }

    @Test func toACollectionBeside() throws {
        try expectRefusal { draft in
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
            try draft.write(.parts, of: 2) { try $0.append(part) }
        }
    }

    /// Another type of containers, whose ids have the same type.
    struct Chest: Container {
        var id: Int
        var folderName: String
        var lock: String
    }

    @Test func toACollectionOfAnotherType() throws {
        let chests = Child<Chest>("chests")
        try expectRefusal { draft in
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
            try draft.write(chests, of: 2) { chests in
                try chests.append(Chest(id: 7, folderName: part.folderName, lock: "brass"))
            }
        }
        // Also if the write does not look into the removed container.
        try expectRefusal { draft in
            try draft.write(chests, of: 2) { chests in
                try chests.append(Chest(id: 7, folderName: part.folderName, lock: "brass"))
            }
            try draft.remove(id: 1)
        }
    }

    @Test func toANewContainer() throws {
        try expectRefusal { draft in
            try draft.append(Box(id: 3, folderName: "Three"))
            try draft.write(.parts, of: 3) { try $0.append(part) }
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
        }
    }

    @Test func outOfAContainerThatIsRemoved() throws {
        try expectRefusal { draft in
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
            try draft.write(.parts, of: 2) { try $0.append(part) }
            try draft.remove(id: 1)
        }
    }

    /// The items were read before the write, which opens nothing in the removed container.
    @Test func outOfAContainerThatTheWriteDoesNotLookInto() throws {
        let parts = try boxes.child(.parts, of: 1).loaded()
        try expectRefusal { draft in
            try draft.write(.parts, of: 2) { try $0.append(contentsOf: parts) }
            try draft.remove(id: 1)
        }
        try expectRefusal { draft in
            try draft.append(part)
            try draft.remove(id: 1)
        }
        let inner = try boxes.child(.parts, of: 1).child(.parts, of: 7)
        try inner.append(Box(id: 8, folderName: "Part inside"))
        try inner.child(.notes, of: 8).append(.salt)
        try expectRefusal { draft in
            try draft.append(Box(id: 8, folderName: "Part inside"))
            try draft.remove(id: 1)
        }
    }

    /// The write takes everything out of the folder that it removes.
    @Test func aCopyByHandLeavesNothingBehind() throws {
        try boxes.write { draft in
            var notes: [Note] = []
            try draft.write(.parts, of: 1) { parts in
                try parts.write(.notes, of: 7) {
                    notes = Array($0.items)
                    try $0.remove(ids: notes.map(\.id))
                }
                try parts.remove(id: 7)
            }
            try draft.write(.parts, of: 2) { parts in
                try parts.append(part)
                try parts.write(.notes, of: 7) { try $0.append(contentsOf: notes) }
            }
        }
        #expect(try boxes.child(.parts, of: 2).notes(of: 7) == [.salt])
    }

    @Test func upAndDown() throws {
        try expectRefusal { draft in
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
            try draft.append(part)
        }
        try boxes.child(.parts, of: 1).transfer([7], to: boxes)
        try expectRefusal { draft in
            try draft.remove(id: 7)
            try draft.write(.parts, of: 2) { try $0.append(part) }
        }
    }

    @Test func aPhotographWithItsFile() throws {
        let photos = try boxes.child(.photos, of: 1)
        let photo = try photos.insert(Data("a photo".utf8))
        expectError(.contentsLeftBehind) {
            try boxes.write { draft in
                try draft.write(.photos, of: 1) { try $0.remove(id: photo.id) }
                try draft.write(.photos, of: 2) { try $0.append(photo) }
            }
        }
        #expect(try photos.data(of: photo.id) == Data("a photo".utf8))
    }

    @Test func aPhotographWithANewFileLeavesNothingBehind() throws {
        let photo = try boxes.child(.photos, of: 1).insert(Data("a photo".utf8))
        let stage = try boxes.makeStage()
        try stage.write(Data("edited".utf8), name: "edited.jpg")
        try boxes.write(importing: stage) { draft, assets in
            try draft.write(.photos, of: 1) { try $0.remove(id: photo.id) }
            try draft.write(.photos, of: 2) { try $0.append(photo, file: assets[0]) }
        }
        let photos = try boxes.child(.photos, of: 2)
        #expect(try photos.loaded().map(\.id) == [photo.id])
        #expect(try photos.data(of: photo.id) == Data("edited".utf8))
    }

    @Test func aPhotographOutOfAContainerThatIsRemoved() throws {
        let photos = try boxes.child(.photos, of: 1)
        let photo = try photos.insert(Data("a photo".utf8))
        expectError(.contentsLeftBehind) {
            try boxes.write { draft in
                try draft.write(.photos, of: 1) { #expect($0.items.count == 1) }
                try draft.write(.photos, of: 2) { try $0.append(photo) }
                try draft.remove(id: 1)
            }
        }
        #expect(try photos.data(of: photo.id) == Data("a photo".utf8))
    }

    @Test func photographsThatTheWriteRemovesAreNotLeftBehind() throws {
        let photo = try boxes.child(.parts, of: 1).child(.photos, of: 7).insert(Data([1]))
        try boxes.write { draft in
            try draft.write(.parts, of: 1) { parts in
                try parts.write(.notes, of: 7) { try $0.remove(id: Note.salt.id) }
                try parts.write(.photos, of: 7) { try $0.remove(id: photo.id) }
                try parts.remove(id: 7)
            }
            try draft.write(.parts, of: 2) { try $0.append(part) }
        }
        #expect(try boxes.child(.parts, of: 2).loaded().map(\.id) == [7])
    }

    @Test func aFileInAFolderOfTheAppIsContents() throws {
        try boxes.child(.parts, of: 1).child(.notes, of: 7).remove(id: Note.salt.id)
        try sandbox.write("mine", to: "One/Part/papers/letter.txt")
        try expectRefusal { draft in
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
            try draft.write(.parts, of: 2) { try $0.append(part) }
        }
    }

    @Test func anEmptyFolderInARemovedContainerIsNoContents() throws {
        try boxes.child(.parts, of: 1).child(.notes, of: 7).remove(id: Note.salt.id)
        try boxes.write { draft in
            try draft.write(.parts, of: 2) { try $0.append(part) }
            try draft.remove(id: 1)
        }
        #expect(try boxes.child(.parts, of: 2).loaded().map(\.id) == [7])
    }

    @Test func anEmptyFolderIsNoContents() throws {
        let parts = try boxes.child(.parts, of: 1)
        try parts.child(.notes, of: 7).remove(id: Note.salt.id)
        try sandbox.write("", to: "One/Part/.DS_Store")
        try boxes.write { draft in
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
            try draft.write(.parts, of: 2) { try $0.append(part) }
        }
        #expect(try parts.loaded().isEmpty)
        #expect(try boxes.child(.parts, of: 2).loaded().map(\.id) == [7])
    }

    /// Ids that are numbers recur in each container.
    @Test func anotherItemWithTheSameIDIsNotTheSame() throws {
        try boxes.write { draft in
            try draft.write(.parts, of: 1) { try $0.remove(id: 7) }
            try draft.write(.parts, of: 2) { try $0.append(Box(id: 7, folderName: "Other")) }
        }
        #expect(try boxes.child(.parts, of: 2).loaded().map(\.folderName) == ["Other"])
    }

    @Test func itemsWithoutFoldersAndFilesMoveLikeThis() throws {
        try boxes.write { draft in
            try draft.write(.notes, of: 1) { try $0.remove(id: Note.eggs.id) }
            try draft.write(.notes, of: 2) { try $0.append(.eggs) }
        }
        #expect(try boxes.notes(of: 2) == [.milk, .eggs])
    }
}
