import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// An undo history keeps files that were removed; a full volume needs their space.
struct UndoFullVolumeTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func theSpaceOfRemovedFilesIsFreeOnceTheHistoryIsRemoved() throws {
        let photos = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: .init(undoLimit: 10))
        let photo = try photos.insert(Data(count: 1_000_000), name: "large.jpg")
        try photos.remove(id: photo.id)
        // Waits for deletions in the background.
        try photos.checkpoint()
        let large = {
            try sandbox.tree().values.contains(.file(Data(count: 1_000_000), mode: 0o600))
        }
        #expect(try large())
        #expect(photos.canUndo)
        try photos.removeUndoHistory()
        #expect(try !large())
        #expect(!photos.canUndo && !photos.canRedo)
        #expect(try photos.undo() == nil)
        #expect(try photos.verify() == [])
        try photos.insert(Data([1]))
        try photos.undo()
        #expect(photos.isEmpty)
    }

    @Test func anUndoneRemovalKeepsItsFileWhenTheHistoryIsRemoved() throws {
        let photos = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: .init(undoLimit: 10))
        let photo = try photos.insert(Data([1, 2]), name: "a.jpg")
        try photos.remove(id: photo.id)
        try photos.undo()
        try photos.removeUndoHistory()
        #expect(try photos.data(of: photo.id) == Data([1, 2]))
        #expect(try photos.verify() == [])
    }

    @Test func itIsRefusedInsideAChange() throws {
        let photos = try sandbox.photos()
        expectError(.nestedWrite) { try photos.write { _ in try photos.removeUndoHistory() } }
    }
}
