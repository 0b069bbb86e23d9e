import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Transfers of several items at once, of which one gets another name on the way.
struct TransferNamesTests {
    private static let names = [1: "One", 2: "Two", 3: "Three"]

    private func boxes(_ path: String, on process: ProcessFileSystem) throws -> Directory<Box> {
        let options = DirectoryOptions(undoLimit: 3)
        return try Directory(
            at: URL(filePath: path), index: "boxes.json", options: options, on: process)
    }

    /// The names of all boxes with the titles of their notes.
    private func contents(_ path: String, on disk: MemoryFileSystem) throws -> [String: [String]] {
        let boxes = try boxes(path, on: ProcessFileSystem(disk))
        try boxes.write { _ in }
        #expect(try boxes.verify() == [])
        return try Dictionary(
            uniqueKeysWithValues: boxes.items.map {
                ($0.folderName, try boxes.notes(of: $0.id).map(\.title))
            })
    }

    private func transfer(undoing: Bool, on process: ProcessFileSystem) throws {
        let sides = try ["/from", "/to"].map { try boxes($0, on: process) }
        try sides[0].transfer([1, 2, 3], to: sides[1]) { box in
            if box.id == 2 { box.folderName = "Zwei" }
        }
        if undoing { try sides[0].undo() }
    }

    private func start() throws -> MemoryFileSystem.Image {
        let disk = MemoryFileSystem()
        let process = ProcessFileSystem(disk)
        let source = try boxes("/from", on: process)
        for (id, name) in Self.names.sorted(by: { $0.key < $1.key }) {
            try source.append(Box(id: id, folderName: name))
            try source.child(.notes, of: id).append(Note(id: 1, title: name))
        }
        try boxes("/to", on: process).append(Box(id: 9, folderName: "Nine"))
        return disk.image
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1), Sweep.cases([true, false], sample: 1))
    func allMoveOrNone(undoing: Bool, byKilling isKilled: Bool) throws {
        let image = try start()
        let done = MemoryFileSystem(image)
        let whole = ProcessFileSystem(done)
        try transfer(undoing: undoing, on: whole)
        #expect(try contents("/from", on: done).isEmpty == !undoing)
        let old = ["One": ["One"], "Two": ["Two"], "Three": ["Three"]]
        let new = ["One": ["One"], "Zwei": ["Two"], "Three": ["Three"]]
        var sweep = Sweep(for: "\(undoing) \(isKilled)")
        for call in sweep.numbers(below: whole.calls + 1, step: 8) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { number, _ in
                if isKilled { return number >= call ? .killed : .works }
                return number == call ? .fails(.ioError) : .works
            }
            _ = Result { try transfer(undoing: undoing, on: process) }
            process.kill()
            try disk.buryOwners()
            let place: Comment = "\(undoing), \(isKilled), call \(call), \(sweep)"
            let source = try contents("/from", on: disk)
            var target = try contents("/to", on: disk)
            target["Nine"] = nil
            let isMoved = source.isEmpty
            #expect(source == (isMoved ? [:] : old), place)
            #expect(target == (isMoved ? new : [:]), place)
        }
    }
}
