import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Two collections of containers in one folder, whose items want the same name.
struct SharedNamesTests {
    private func boxes(
        _ index: String = "boxes.json", at path: String = "/store", on fileSystem: any FileSystem
    ) throws -> Directory<Box> {
        let boxes = try Directory<Box>(at: URL(filePath: path), index: index, on: fileSystem)
        try boxes.load()
        return boxes
    }

    /// A disk with the collection "crates", whose container "Nine" has a note, and with "boxes".
    private func start() throws -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        let crates = try boxes("crates.json", on: ProcessFileSystem(disk))
        try crates.append(Box(id: 9, folderName: "Nine"))
        try crates.child(.notes, of: 9).append(.eggs)
        try boxes(on: ProcessFileSystem(disk)).append(Box(id: 1, folderName: "One"))
        return disk
    }

    /// Expects that not both collections have an item with the folder `name`.
    ///
    /// - Returns: Whether one of them has.
    @discardableResult
    private func expectOneOwner(of name: String, on disk: MemoryFileSystem) throws -> Bool {
        let process = ProcessFileSystem(disk)
        let both = try [boxes("crates.json", on: process), boxes(on: process)]
        let owners = both.flatMap(\.items).filter { $0.folderName == name }
        #expect(owners.count <= 1)
        return !owners.isEmpty
    }

    /// The other collection commits before each call; a collection may have no index before.
    @Test(arguments: [["boxes", "crates"], ["boxes"], []])
    func onlyOneOfTwoProcessesGetsTheName(_ existing: [String]) throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 200) {
            let disk = MemoryFileSystem()
            for name in existing {
                try boxes("\(name).json", on: ProcessFileSystem(disk))
                    .append(Box(id: 1, folderName: "\(name) 1"))
            }
            let process = ProcessFileSystem(disk) { number, _ in
                if number == call {
                    try? boxes("crates.json", on: ProcessFileSystem(disk))
                        .append(Box(id: 8, folderName: "New"))
                }
                return .works
            }
            try? boxes(on: process).append(Box(id: 2, folderName: "New"))
            #expect(try expectOneOwner(of: "New", on: disk))
            // The one that was refused has not removed the folder of the other.
            #expect(try disk.status(of: "New", in: disk.openFolder(at: "/store")) != nil)
            if process.calls <= call { return }
        }
        Issue.record("more calls than expected")
    }

    /// The other collection commits before each call of an undo that brings a container back.
    @Test func onlyOneOfTwoProcessesGetsTheNameThatAnUndoNeeds() throws {
        let options = DirectoryOptions(undoLimit: 5)
        var sweep = Sweep()
        for call in sweep.numbers(below: 400) {
            let disk = try start()
            let first = Mutex<Int?>(nil)
            let process = ProcessFileSystem(disk) { number, _ in
                if let first = first.withLock(\.self), number == first + call {
                    try? boxes("crates.json", on: ProcessFileSystem(disk))
                        .append(Box(id: 8, folderName: "One"))
                }
                return .works
            }
            let mine = try Directory<Box>(
                at: URL(filePath: "/store"), index: "boxes.json", options: options, on: process)
            try mine.remove(id: 1)
            first.withLock { $0 = process.calls }
            _ = try? mine.undo()
            try expectOneOwner(of: "One", on: disk)
            let count = process.calls
            withExtendedLifetime(mine) { process.kill() }
            if let first = first.withLock(\.self), count <= first + call { return }
        }
        Issue.record("more calls than expected")
    }

    enum Fate { case waits, dies }

    /// The other process waits before each call, or dies there.
    @Test(
        arguments: Sweep.cases(["remove", "rename", "transfer"], sample: 1),
        Sweep.cases([Fate.waits, .dies], sample: 1))
    func nameThatATransactionMovesIsTaken(_ change: String, _ fate: Fate) throws {
        var refused = 0
        var sweep = Sweep()
        for call in sweep.numbers(below: 400) {
            let disk = try start()
            let hasTaken = Mutex(false)
            let take = { @Sendable in
                let mine = try boxes(on: ProcessFileSystem(disk))
                try? mine.append(Box(id: 2, folderName: "Nine"))
                if mine.count == 1 { try? mine.update(Box(id: 1, folderName: "Nine")) }
                hasTaken.withLock { $0 = mine.items.contains { $0.folderName == "Nine" } }
            }
            let process = ProcessFileSystem(disk) { number, _ in
                guard number == call else { return .works }
                if fate == .waits { try? take() }
                return fate == .dies ? .killed : .works
            }
            let changed = Result { try self.change(change, on: process) }
            if fate == .dies { try take() }
            let crates = try boxes("crates.json", on: ProcessFileSystem(disk))
            try crates.append(Box(id: 5, folderName: "Five"))
            if crates[id: 9]?.folderName == "Nine" {
                #expect(try crates.notes(of: 9) == [.eggs])
            }
            if !hasTaken.withLock(\.self) { refused += 1 }
            try expectOneOwner(of: "Nine", on: disk)
            #expect(try crates.verify() == [])
            if process.calls <= call {
                try changed.get()
                break
            }
        }
        #expect(refused > 0 || TestSize.current == .sample)
    }

    /// The other process begins, and dies before it commits, before each call.
    @Test(arguments: ["remove", "rename", "transfer"])
    func nameThatATransactionBeginsToMoveIsTaken(_ change: String) throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 200) {
            let disk = try start()
            let process = ProcessFileSystem(disk) { number, _ in
                if number == call { try? self.beginToMove(change, on: disk) }
                return .works
            }
            try? boxes(on: process).append(Box(id: 2, folderName: "Nine"))
            let crates = try boxes("crates.json", on: ProcessFileSystem(disk))
            try crates.append(Box(id: 5, folderName: "Five"))
            #expect(try crates.notes(of: 9) == [.eggs])
            try expectOneOwner(of: "Nine", on: disk)
            if process.calls <= call { return }
        }
        Issue.record("more calls than expected")
    }

    /// The folder moves away before the name is looked at, comes back, and moves away again.
    @Test func nameThatATransactionMovesTwiceIsTaken() throws {
        let disk = try start()
        let steps = Mutex(["stat /store/Nine", "stat /store/.staging", "make /store/.boxes"])
        let process = ProcessFileSystem(disk) { _, call in
            let left = steps.withLock { steps in
                if steps.first.map(call.hasPrefix) == true { steps.removeFirst() } else { return 3 }
                return steps.count
            }
            switch left {
            case 2, 0: try? beginToMove("remove", on: disk)
            case 1:
                try? boxes("crates.json", on: ProcessFileSystem(disk))
                    .append(Box(id: 5, folderName: "Five"))
            default: break
            }
            return .works
        }
        let mine = try boxes(on: process)
        expectError(.nameTaken) { try mine.append(Box(id: 2, folderName: "Nine")) }
        let missing = steps.withLock(\.self)
        #expect(missing.isEmpty)
        let crates = try boxes("crates.json", on: ProcessFileSystem(disk))
        try crates.append(Box(id: 6, folderName: "Six"))
        #expect(try crates.notes(of: 9) == [.eggs])
    }

    /// Kills a process before it commits, once it has moved the folder "Nine".
    private func beginToMove(_ change: String, on disk: MemoryFileSystem) throws {
        // Before its last change, the process that undoes has made two others.
        let commits = Atomic(change == "undoTransfer" ? 4 : 0)
        let killed = ProcessFileSystem(disk) { _, call in
            if call.decidesTree {
                return commits.subtract(1, ordering: .relaxed).oldValue > 0 ? .works : .killed
            }
            guard call.hasPrefix("rename") else { return .works }
            return call.hasSuffix("/crates.json") && change != "undoTransfer" ? .killed : .works
        }
        defer { #expect(killed.isDead) }
        try self.change(change, on: killed)
    }

    /// A folder that was made and removed again could be in the way of a recovery.
    @Test(arguments: ["remove", "rename", "transfer", "undoTransfer"])
    func noFolderIsMadeWithANameThatATransactionMoves(_ change: String) throws {
        let disk = try start()
        try? beginToMove(change, on: disk)
        let process = ProcessFileSystem(disk)
        let boxes = try boxes(on: process)
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: "Nine")) }
        #expect(!process.log.contains { $0.hasPrefix("make") })
    }

    private func change(_ change: String, on process: ProcessFileSystem) throws {
        let crates = try boxes("crates.json", on: process)
        switch change {
        case "remove": try crates.remove(id: 9)
        case "rename": try crates.update(Box(id: 9, folderName: "Neun"))
        case "undoTransfer":
            // The home is the other collection then.
            let others = try Directory<Box>(
                at: URL(filePath: "/other"), index: "boxes.json", options: .init(undoLimit: 1),
                on: process)
            try crates.transfer([9], to: others)
            try others.transfer([9], to: crates)
            try others.undo()
        default: try crates.transfer([9], to: boxes(at: "/other", on: process))
        }
    }

    /// The commit fails, and another program has made a folder with the name meanwhile.
    @Test(arguments: ["remove", "rename"])
    func folderThatCannotComeBackIsKeptUntilItCan(_ change: String) throws {
        let disk = try start()
        let process = ProcessFileSystem(disk) { _, call in
            guard call.hasPrefix("rename"), call.hasSuffix("/crates.json") else { return .works }
            try? disk.makeFolder("Nine", in: disk.openFolder(at: "/store"), mode: 0o700)
            return .fails(.ioError)
        }
        expectError(.ioFailure) { try self.change(change, on: process) }
        let store = try disk.openFolder(at: "/store")
        try boxes(on: ProcessFileSystem(disk)).append(Box(id: 2, folderName: "Two"))
        expectError(.nameTaken) {
            try boxes(on: ProcessFileSystem(disk)).append(Box(id: 3, folderName: "Nine"))
        }
        try disk.removeFolder("Nine", in: store)
        expectError(.nameTaken) {
            try boxes(on: ProcessFileSystem(disk)).append(Box(id: 3, folderName: "Nine"))
        }
        let crates = try boxes("crates.json", on: ProcessFileSystem(disk))
        try crates.append(Box(id: 5, folderName: "Five"))
        #expect(try crates.notes(of: 9) == [.eggs])
        #expect(try crates.verify() == [])
    }

    /// The assets of a new index would be in the folder of a container that comes back.
    @Test func newIndexDoesNotGetTheNameOfAFolderThatMoves() throws {
        let disk = try start()
        #expect(throws: (any Error).self) { try beginToMove("remove", on: disk) }
        let nine = try boxes("Nine.json", on: ProcessFileSystem(disk))
        expectError(.nameTaken) { try nine.append(Box(id: 1, folderName: "Else")) }
    }

    /// A target of a transfer that another index needs.
    @Test func transferDoesNotTakeTheNameOfAFolderThatMoves() throws {
        let disk = try start()
        #expect(throws: (any Error).self) { try beginToMove("remove", on: disk) }
        let process = ProcessFileSystem(disk)
        let other = try boxes(at: "/other", on: process)
        try other.append(Box(id: 7, folderName: "Nine"))
        expectError(.nameTaken) { try other.transfer([7], to: boxes(on: process)) }
        #expect(try other.verify() == [])
    }
}
