import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A store in a lower layer of an overlay, as in an image of a container.
@Suite(.enabled(if: Overlay.canBeMounted, "only root can mount an overlay")) struct OverlayTests {
    private let overlay: Overlay

    init() throws {
        overlay = try Overlay()
        let boxes = try Directory<Box>(at: overlay.lower, index: "boxes.json")
        for (id, name) in [(1, "One"), (2, "Two")] {
            try boxes.append(Box(id: id, folderName: name))
            try boxes.child(.notes, of: id).append(Note(id: id, title: "old"))
            try boxes.child(.photos, of: id).insert(Data([UInt8(id)]))
        }
        try boxes.close()
        try overlay.mount()
    }

    private func boxes(on process: ProcessFileSystem = .init(LocalFileSystem())) throws
        -> Directory<Box>
    {
        let boxes = try Directory<Box>(at: overlay.url, index: "boxes.json", on: process)
        try boxes.load()
        return boxes
    }

    /// It changes with the first change, so that it would not tell a folder from others.
    @Test func birthTimeOfAFolderIsUnknown() throws {
        let files = LocalFileSystem()
        let folder = try files.openFolder(at: overlay.url.path)
        let found = [try files.status(of: folder), try files.status(of: "One", in: folder)]
        #expect(found.allSatisfy { $0?.created == nil && $0?.identity.born == 0 })
        let lower = try files.status(of: files.openFolder(at: overlay.lower.path))
        #expect(lower.created != nil && lower.identity.born != 0)
    }

    @Test func eachCollectionCanBeChangedMoreThanOnce() throws {
        let boxes = try boxes()
        let (notes, photos) = try (boxes.child(.notes, of: 1), boxes.child(.photos, of: 1))
        try photos.load()
        for id in 10..<13 {
            try notes.append(Note(id: id, title: "new"))
            try photos.insert(Data([UInt8(id)]))
            try boxes.append(Box(id: id, folderName: "New \(id)"))
        }
        try photos.transfer([photos.items[0].id], to: boxes.child(.photos, of: 2))
        #expect(notes.items.map(\.id) == [1, 10, 11, 12])
        #expect(photos.count == 3 && boxes.count == 5)
        #expect(try boxes.verify() == [] && photos.verify() == [])
    }

    /// The folder that this process has found is copied up by another one.
    @Test func anotherProcessMakesTheFirstChange() throws {
        let (ours, theirs) = try (boxes(), boxes())
        let notes = try ours.child(.notes, of: 1)
        try notes.load()
        try theirs.child(.notes, of: 1).append(Note(id: 10, title: "theirs"))
        try notes.append(Note(id: 11, title: "ours"))
        #expect(notes.items.map(\.id) == [1, 10, 11])
    }

    @Test func folderThatTheVolumeCannotMoveStays() throws {
        let boxes = try boxes()
        let before = Array(boxes.items)
        func expectImmovable(_ change: () throws -> Void) {
            let error = #expect(throws: DirectoryError.self, performing: change)
            #expect(error?.code == .crossVolume)
            #expect(error?.message.contains("overlayfs") == true)
            #expect(error?.message.contains("copy(to:)") == true)
        }
        expectImmovable { try boxes.update(Box(id: 1, folderName: "Uno")) }
        expectImmovable { try boxes.remove(id: 2) }
        expectImmovable {
            try boxes.write { draft in
                try draft.append(Box(id: 3, folderName: "Three"))
                try draft.write(.notes, of: 1) { try $0.append(Note(id: 9, title: "x")) }
                try draft.update(Box(id: 2, folderName: "Due"))
            }
        }
        for found in [boxes, try self.boxes()] {
            #expect(Array(found.items) == before)
            #expect(try found.child(.notes, of: 1).loaded().map(\.id) == [1])
            #expect(try found.verify() == [])
        }
        let copy = overlay.lower.deletingLastPathComponent().appending(path: "copy")
        try boxes.copy(to: copy)
        let copied = try Directory<Box>(at: copy, index: "boxes.json")
        try copied.update(Box(id: 1, folderName: "Uno"))
        #expect(try copied.child(.notes, of: 1).loaded().map(\.id) == [1])
    }
}
