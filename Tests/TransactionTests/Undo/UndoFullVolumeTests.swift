import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// An undo history keeps files that were removed; a full volume needs their space.
struct UndoFullVolumeTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// A volume on which no file can be made while `isFull`, until a kept file is deleted.
    private final class FullVolume: Sendable {
        private let isFull = Atomic(false)

        func fill() { isFull.store(true, ordering: .relaxed) }

        func fate(of call: String) -> ProcessFileSystem.Fate {
            // What undo keeps has hidden names.
            if call.hasPrefix("remove"), call.contains("/.trash/"),
                call.split(separator: "/").last?.hasPrefix(".") == true
            {
                isFull.store(false, ordering: .relaxed)
            }
            return isFull.load(ordering: .relaxed) && call.hasPrefix("create")
                ? .fails(.noSpace) : .works
        }
    }

    private func photos(on volume: FullVolume, undoLimit: Int) throws -> Directory<Photo> {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in volume.fate(of: call) }
        return try Directory(
            at: sandbox.url, index: "photos.json", options: .init(undoLimit: undoLimit), on: process
        )
    }

    @Test func aChangeTakesTheSpaceOfWhatUndoKeeps() throws {
        let volume = FullVolume()
        let photos = try photos(on: volume, undoLimit: 10)
        let first = try photos.insert(Data("1".utf8), name: "1.jpg")
        let second = try photos.insert(Data("2".utf8), name: "2.jpg")
        try photos.remove(id: first.id)
        #expect(photos.canUndo)
        volume.fill()
        try photos.remove(id: second.id)
        #expect(photos.isEmpty)
        // What came before cannot be undone any more.
        try photos.undo()
        #expect(photos.items.map(\.id) == [second.id])
        #expect(!photos.canUndo)
        #expect(try photos.verify() == [])
    }

    @Test func withoutKeptFilesTheChangeFailsAndTheHistoryStays() throws {
        let volume = FullVolume()
        let photos = try photos(on: volume, undoLimit: 10)
        let first = try photos.insert(Data("1".utf8), name: "1.jpg")
        volume.fill()
        expectError(.noSpace) { try photos.update(id: first.id) { $0.name = "other" } }
        #expect(photos.items.map(\.name) == ["1.jpg"])
        #expect(photos.canUndo)
    }
}
