import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Undo and redo that would remove a container: only if it has in it what it had.
struct UndoContainerTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Two boxes with a note each, that cannot be undone.
    private func boxes(_ options: DirectoryOptions = .init(undoLimit: 10)) throws -> Directory<Box>
    {
        do { _ = try sandbox.twoBoxes() }
        return try sandbox.boxes(options: options)
    }

    /// What can happen to a container between a change and its undo.
    enum Addition: CaseIterable {
        case ownNote, photosOfOthers, fileByHand, hiddenFileByHand, folderByHand, changedByHand
    }

    private func make(_ addition: Addition, in boxes: Directory<Box>, _ id: Int) throws {
        let folder = try #require(boxes.items[id: id]).folderName
        switch addition {
        case .ownNote: try boxes.child(.notes, of: id).append(.salt)
        case .photosOfOthers:
            let others = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
            try others.child(.photos, of: id).insert([Data([1]), Data([2])])
        case .fileByHand: try sandbox.write("mine", to: "\(folder)/mine.txt")
        case .hiddenFileByHand: try sandbox.write("mine", to: "\(folder)/.env")
        case .folderByHand: try sandbox.write("mine", to: "\(folder)/mine/mine.txt")
        case .changedByHand:
            try sandbox.write(#"[{"id": 9, "title": "mine"}]"#, to: "\(folder)/notes.json")
        }
    }

    private func expectConflict(in boxes: Directory<Box>, _ takeBack: () throws -> Void) throws {
        let before = try sandbox.visibleTree(boxes)
        expectError(.undoConflict) { try takeBack() }
        #expect(try sandbox.visibleTree(boxes) == before)
        #expect(try boxes.verify().isEmpty)
    }

    @Test(arguments: Sweep.cases(Addition.allCases, sample: 1))
    func newContainerThatIsNotEmptyAnyMoreStays(_ addition: Addition) throws {
        let boxes = try boxes()
        try boxes.append(Box(id: 3, folderName: "Three"))
        try make(addition, in: boxes, 3)
        try expectConflict(in: boxes) { try boxes.undo() }
    }

    @Test(arguments: Sweep.cases(Addition.allCases, sample: 1))
    func containerThatCameBackAndWasChangedStays(_ addition: Addition) throws {
        let boxes = try boxes()
        try boxes.remove(id: 1)
        try boxes.undo()
        try make(addition, in: boxes, 1)
        try expectConflict(in: boxes) { try boxes.redo() }
    }

    /// A checkpoint, and changes that were taken back, leave nothing in the way of an undo.
    @Test func newContainerThatIsEmptyAgainIsUndone() throws {
        let boxes = try boxes()
        let before = try sandbox.visibleTree(boxes)
        try boxes.append(Box(id: 3, folderName: "Three"))
        let photos = try boxes.child(.photos, of: 3)
        try photos.insert(Data([1]))
        try photos.undo()
        try boxes.child(.notes, of: 3).append(.salt)
        try boxes.child(.notes, of: 3).remove(id: Note.salt.id)
        try photos.checkpoint()
        try boxes.undo()
        #expect(try sandbox.visibleTree(boxes) == before)
    }

    /// Whoever has the lock of an index in it is about to change that.
    @Test func containerInWhichSomebodyHasALockStays() throws {
        var options = DirectoryOptions(undoLimit: 10)
        options.lockTimeout = .milliseconds(20)
        let boxes = try boxes(options)
        try boxes.append(Box(id: 3, folderName: "Three"))
        let photos = try boxes.child(.photos, of: 3)
        let folder = try #require(try photos.core.openFolder(making: false))
        let lock = try #require(try folder.tryLock())
        try withExtendedLifetime(lock) {
            let before = try sandbox.visibleTree(boxes)
            expectError(.locked) { try boxes.undo() }
            #expect(try sandbox.visibleTree(boxes) == before)
        }
    }
}
