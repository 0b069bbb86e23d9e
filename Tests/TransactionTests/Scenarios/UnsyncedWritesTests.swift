import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Power losses after a commit that builds on what others wrote and did not sync.
struct UnsyncedWritesTests {
    private let start = MemoryFileSystem()

    /// A collection whose changes write to the journal.
    private func open<Item>(
        _ index: String, _ durability: DirectoryOptions.Durability = .durable,
        on fileSystem: any FileSystem
    ) throws -> Directory<Item> {
        var options = DirectoryOptions(durability: durability)
        options.journalThreshold = 0
        return try Directory(
            at: URL(filePath: "/store"), index: index, options: options, on: fileSystem)
    }

    /// Calls `body` as a process that is killed before the collection that it returns is released,
    /// so that no journal is written into its index.
    private func asProcess(
        on disk: any FileSystem, _ body: (ProcessFileSystem) throws -> AnyObject
    ) throws {
        let process = ProcessFileSystem(disk)
        let collection = try body(process)
        withExtendedLifetime(collection) { process.kill() }
    }

    /// Writes to the index in place and without a sync, as some editors do.
    private func edit(_ index: FileName, _ text: String, on disk: any FileSystem) throws {
        let file = try disk.openFile(index, in: disk.openFolder(at: "/store"), for: .update)
        try disk.truncate(file, to: 0)
        try disk.write(Array(text.utf8), to: file, at: 0)
    }

    /// The ids in the collection that `open` opens, in the states that a power loss now can leave.
    private func ids<Item>(
        on disk: RecordedDisk, _ open: (ProcessFileSystem) throws -> Directory<Item>
    ) throws -> Set<[Int]> where Item.ID == Int {
        var found: Set<[Int]> = []
        try PowerLoss(disk, .posix).forEachState(at: [disk.moment], .init(), seed: 1) { state in
            try asProcess(on: MemoryFileSystem(state.image)) { process in
                let collection = try open(process)
                try collection.load()
                found.insert(collection.items.map(\.id))
                return collection
            }
        }
        return found
    }

    private func notes(on process: ProcessFileSystem) throws -> Directory<Note> {
        try open("notes.json", on: process)
    }

    private func boxes(on process: ProcessFileSystem) throws -> Directory<Box> {
        try open("boxes.json", on: process)
    }

    /// The notes in the folder of a container, opened as a ``PlacedContainer`` does.
    private func notes(inContainerAt url: URL, on process: ProcessFileSystem) throws
        -> Directory<Note>
    {
        let location = try PathLocation(url, on: process, options: .init(), isContainer: true)
        let store = IndexStore(
            fileSystem: process, names: try IndexNames("notes.json", in: url), options: .init())
        return Directory(
            core: try Registry.shared.core(
                at: location, store, ItemCoding<Note>.self), durability: .durable)
    }

    @Test func firstRecordOfAJournalMakesTheEditBeforeItDurable() throws {
        try asProcess(on: start) { process in
            let notes = try notes(on: process)
            try notes.append(.eggs)
            return notes
        }
        let disk = RecordedDisk(start.image)
        try edit("notes.json", #"[{"id":9,"title":"Ham"}]"#, on: disk)
        try asProcess(on: disk) { process in
            let notes = try notes(on: process)
            try notes.append(.milk)
            #expect(process.log.contains { $0.hasSuffix("to /store/.notes.journal") })
            return notes
        }
        #expect(try ids(on: disk, notes) == [[9, 2]])
    }

    @Test func durableChangeMakesTheRelaxedOnesBeforeItDurable() throws {
        try asProcess(on: start) { process in
            let notes = try notes(on: process)
            try notes.append(.eggs)
            try notes.append(.milk)
            return notes
        }
        let disk = RecordedDisk(start.image)
        try asProcess(on: disk) { process in
            let notes = try notes(on: process)
            let relaxed: Directory<Note> = try open("notes.json", .relaxed, on: process)
            for id in 10..<13 { try relaxed.append(Note(id: id, title: "x")) }
            try notes.append(.salt)
            return notes
        }
        #expect(try ids(on: disk, notes) == [[1, 2, 10, 11, 12, 3]])
    }

    @Test(arguments: [ConflictSide.index, .journal])
    func endOfAConflictMakesTheIndexDurable(_ side: ConflictSide) throws {
        try asProcess(on: start) { process in
            let notes = try notes(on: process)
            try notes.append(.eggs)
            try notes.append(.milk)
            return notes
        }
        let disk = RecordedDisk(start.image)
        try edit("notes.json", #"[{"id":9,"title":"Ham"}]"#, on: disk)
        try asProcess(on: disk) { process in
            let notes = try notes(on: process)
            expectError(.indexConflict) { try notes.load() }
            try notes.resolveConflict(keeping: side)
            return notes
        }
        #expect(try ids(on: disk, notes) == [side == .index ? [9] : [9, 2]])
    }

    /// Its folder loses the mark that says that it may not be committed.
    @Test func newContainerBesideAnotherIndexIsDurable() throws {
        try asProcess(on: start) { process in
            let (notes, boxes) = try (notes(on: process), boxes(on: process))
            try notes.append(.eggs)
            try boxes.append(Box(id: 1, folderName: "One"))
            // From here on there is a journal.
            try boxes.append(Box(id: 3, folderName: "Three"))
            return boxes
        }
        let disk = RecordedDisk(start.image)
        try asProcess(on: disk) { process in
            let boxes: Directory<Box> = try open("boxes.json", .relaxed, on: process)
            try boxes.append(Box(id: 2, folderName: "Two"))
            return boxes
        }
        #expect(try ids(on: disk, boxes(on:)) == [[1, 3, 2]])
    }

    /// The process that made the container was killed before it synced the record of its item.
    @Test func childThatIsOpenedByItsPathMakesItsContainerDurable() throws {
        try asProcess(on: start) { process in
            let boxes = try boxes(on: process)
            for id in 1...3 { try boxes.append(Box(id: id, folderName: "Box \(id)")) }
            return boxes
        }
        let disk = RecordedDisk(start.image)
        let killed = ProcessFileSystem(disk) { _, call in
            call == "sync /store/.boxes.journal" ? .killed : .works
        }
        do {
            let boxes = try boxes(on: killed)
            #expect(throws: (any Error).self) {
                try boxes.append(Box(id: 4, folderName: "Box 4"))
            }
        }
        #expect(killed.isDead)
        try asProcess(on: disk) { process in
            let notes = try notes(inContainerAt: URL(filePath: "/store/Box 4"), on: process)
            try notes.append(.eggs)
            return notes
        }
        #expect(try ids(on: disk, boxes) == [[1, 2, 3, 4]])
    }

    /// What is above may belong to others.
    @Test func childThatIsOpenedByItsPathNeedsNothingOfTheFolderAbove() throws {
        let sandbox = try Sandbox()
        try sandbox.makeFolder("Box")
        try sandbox.makeFolder("folder.json")
        for name in ["a.json", "secret.json", "z.json"] { try sandbox.write("[]", to: name) }
        try sandbox.makeSymbolicLink("link.json", to: sandbox.url("secret.json"))
        for (id, refused) in ["secret.json", sandbox.url.lastPathComponent].enumerated() {
            let process = ProcessFileSystem(LocalFileSystem()) { _, call in
                call.hasPrefix("open") && call.hasSuffix("/\(refused)")
                    || call.hasPrefix("list") && call.hasSuffix("/\(refused)")
                    ? .fails(.accessDenied) : .works
            }
            let notes = try notes(inContainerAt: sandbox.url("Box"), on: process)
            try notes.append(Note(id: id, title: "Note"))
            // Those that may be opened are synced all the same.
            let names = id == 0 ? ["a.json", "z.json"] : []
            for path in names.map({ sandbox.url($0).path }) {
                #expect(process.log.contains("sync to drive \(path)"))
            }
        }
    }

    @Test func firstCommitMakesTheFolderAboveDurableThatAKilledProcessMade() throws {
        func notes(on process: ProcessFileSystem) throws -> Directory<Note> {
            try Directory(at: URL(filePath: "/a/store"), index: "notes.json", on: process)
        }
        let disk = RecordedDisk(start.image)
        let killed = ProcessFileSystem(disk) { _, call in
            call == "sync /" && (try? disk.openFolder(at: "/a")) != nil ? .killed : .works
        }
        #expect(throws: ProcessFileSystem.Killed.self) { try notes(on: killed).append(.eggs) }
        try asProcess(on: disk) { process in
            let notes = try notes(on: process)
            try notes.append(.milk)
            return notes
        }
        #expect(try ids(on: disk, notes) == [[2]])
    }
}
