import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Undo after something else went wrong, was closed or was edited.
struct UndoMishapTests {
    private static let both = DirectoryOptions(undoLimit: 5, keepsRemoved: .days(30))
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// An element that only a newer version of the app can read may have got the id of the removed item.
    @Test func idOfAnElementThatCannotBeReadIsAConflict() throws {
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json", options: DirectoryOptions(undoLimit: 5))
        try notes.append(contentsOf: [.eggs, .milk])
        try notes.remove(id: Note.milk.id)
        let edited = #"[{"id":1,"title":"Eggs"},{"id":\#(Note.milk.id),"title":{"en":"Milk"}}]"#
        try sandbox.write(edited, to: "notes.json")
        expectError(.undoConflict) { try notes.undo() }
        #expect(try sandbox.text("notes.json") == edited)
        #expect(notes.canUndo)
    }

    /// The transferred item comes back from a collection that was closed since, or opened again.
    @Test(arguments: [false, true]) func transferIsUndoneAfterTheOtherWasClosed(_ isOpen: Bool)
        throws
    {
        let boxes = try sandbox.boxes("a", options: DirectoryOptions(undoLimit: 5))
        func others() throws -> Directory<Box> { try sandbox.boxes("b") }
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        let first = try others()
        try boxes.transfer([1], to: first)
        try first.close()
        let second = isOpen ? try others() : nil
        try second?.load()
        try boxes.undo()
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(second?.isEmpty != false)
        try boxes.redo()
        #expect(boxes.isEmpty)
        #expect(try others().notes(of: 1) == [.eggs])
        #expect(second?.count ?? 1 == 1)
    }

    /// A removal that could not move what it keeps to its place is undone all the same.
    @Test(arguments: [Self.both, DirectoryOptions(undoLimit: 5)])
    func removalIsUndoneAfterAnErrorWhileKeeping(_ options: DirectoryOptions) throws {
        let folder = URL(filePath: "/store")
        let disk = MemoryFileSystem()
        let first = try Directory<Box>(
            at: folder, index: "boxes.json", options: options, on: ProcessFileSystem(disk))
        try first.append(Box(id: 1, folderName: "One"))
        try first.child(.notes, of: 1).append(.eggs)
        first.core.background.wait()
        let image = disk.image
        var sweep = Sweep(for: "\(options)")
        for call in sweep.numbers(below: 300, step: 12) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 == call ? .fails(.ioError) : .works }
            let boxes: Directory<Box>
            do {
                boxes = try Directory<Box>(
                    at: folder, index: "boxes.json", options: options, on: process)
                try boxes.remove(id: 1)
            } catch {
                continue  // The store did not open, or the removal was refused.
            }
            boxes.core.background.wait()
            if process.calls <= call { return }
            guard boxes.canUndo else { continue }
            #expect(throws: Never.self, "call \(call), \(sweep)") { try boxes.undo() }
            #expect(try boxes.notes(of: 1) == [.eggs], "call \(call), \(sweep)")
        }
    }
}
