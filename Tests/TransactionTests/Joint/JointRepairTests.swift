import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Repairs of decided writes that cannot be ended, because somebody has edited an index.
struct JointRepairTests {
    /// The contents of all files after somebody edited `path` and repaired the collections.
    private func repaired(_ write: JointScenario, editing path: String) throws -> Set<Data> {
        let store = try JointStore()
        let killed = try store.boxes(on: JointKill.decided.process)
        #expect(throws: (any Error).self) { try write.run(killed) }
        try store.sandbox.buryOwners()
        let text = try store.sandbox.text(path)
        let edited = text.replacing("[\n{", with: "[\n{\"edited\":1,")
        try #require(edited != text)
        try store.sandbox.write(edited, to: path)
        let boxes = try store.boxes()
        expectError(.unfinishedChange) { try boxes.write { _ in } }
        if path.hasSuffix("photos.json") { try boxes.child(.photos, of: 1).repair() }
        try boxes.repair()
        try boxes.write { _ in }
        for box in boxes.items {
            let photos = try boxes.child(.photos, of: box.id)
            try photos.repair()
            try photos.checkpoint()
        }
        try boxes.checkpoint()
        return try store.sandbox.contents()
    }

    @Test func filesThatTheWriteImportedAreKept() throws {
        let contents = try repaired(.importsBesideRemoval, editing: "One/photos.json")
        #expect(contents.contains(Data("photo 1".utf8)))
        for text in ["new", "other"] { #expect(contents.contains(Data(text.utf8)), "\(text)") }
    }

    @Test func theFolderOfANewContainerIsKept() throws {
        let contents = try repaired(.newContainer, editing: "boxes.json")
        for text in ["new", "other"] { #expect(contents.contains(Data(text.utf8)), "\(text)") }
    }
}
