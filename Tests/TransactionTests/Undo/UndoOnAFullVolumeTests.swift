import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Undo and redo on a volume that has no space for an intent.
struct UndoOnAFullVolumeTests {
    /// They compare what they remove, also if nothing can be parked.
    @Test(arguments: [false, true]) func whatOthersWroteIsNotRemoved(_ isRedo: Bool) throws {
        let sandbox = try Sandbox()
        let isFull = Atomic(false)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let makes = call.hasPrefix("make ") || call.hasPrefix("create ")
            return makes && isFull.load(ordering: .relaxed) ? .fails(.noSpace) : .works
        }
        // The commits themselves fit into the journal.
        var options = DirectoryOptions(undoLimit: 5)
        options.journalThreshold = 0
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
        for id in 1...2 { try boxes.append(Box(id: id, folderName: "Box \(id)")) }
        if isRedo {
            try boxes.remove(id: 2)
            try boxes.undo()
        }
        let others = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options,
            on: ProcessFileSystem(LocalFileSystem()))
        try others.load()
        try others.child(.notes, of: 2).append(.eggs)
        isFull.store(true, ordering: .relaxed)
        #expect(throws: DirectoryError.self) { try isRedo ? boxes.redo() : boxes.undo() }
        isFull.store(false, ordering: .relaxed)
        boxes.core.background.wait()
        try others.load()
        #expect(try others.notes(of: 2) == [.eggs])
        #expect(try boxes.verify() == [])
    }
}
