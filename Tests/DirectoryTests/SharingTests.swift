import Directory
import FileSystem
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct SharingTests {
    let temporary: TemporaryFolder
    private let files = FileManager.default

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func notes(_ path: String = "") throws -> Directory<Note> {
        try Directory(at: temporary.file(path), index: "notes.json")
    }

    /// The same index as another process has it.
    private func others(_ options: DirectoryOptions = .init()) throws -> Directory<OtherNote> {
        try Directory(at: temporary.url, index: "notes.json", options: options)
    }

    /// Expects that a change of `first` is in `second` without a load.
    private func expectShared(
        _ first: Directory<Note>, _ second: Directory<Note>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try first.load()
        try first.append(Note(id: first.count + 1, title: "x"))
        #expect(Array(second.items) == Array(first.items), sourceLocation: sourceLocation)
        try second.append(Note(id: first.count + 1, title: "y"))
        #expect(Array(second.items) == Array(first.items), sourceLocation: sourceLocation)
    }

    @Test func handlesOfOneIndexAreOneCollection() throws {
        try expectShared(notes(), notes())
    }

    @Test func handlesFromBeforeTheFolderExistsAreOneCollection() throws {
        let (first, second) = (try notes("a/b"), try notes("a/b"))
        try expectShared(first, second)
        try expectShared(second, notes("a/b"))
    }

    @Test func handleFromBeforeSomeoneElseMadeTheFolderIsTheSameCollection() throws {
        let first = try notes("a/b/c")
        try files.createDirectory(
            at: temporary.file("a"), withIntermediateDirectories: false)
        let second = try notes("a/b/c")
        try files.createDirectory(
            at: temporary.file("a/b/c"), withIntermediateDirectories: true)
        let third = try notes("a/b/c")
        try expectShared(third, first)
        try expectShared(second, third)
    }

    @Test func handlesThroughALinkAreOneCollection() throws {
        try files.createDirectory(
            at: temporary.file("real/folder"), withIntermediateDirectories: true)
        try files.createSymbolicLink(
            atPath: temporary.file("link").path, withDestinationPath: "real")
        try expectShared(notes("real/folder"), notes("link/folder"))
        try expectShared(notes("real/new"), notes("link/new"))
        try expectShared(notes("real/folder"), notes("real/../link/./folder/"))
    }

    @Test(arguments: [true, false])
    func newHandleWorksWhereAFolderWasRemoved(_ isMadeAgain: Bool) throws {
        let old = try notes("a")
        try old.append(.eggs)
        try files.removeItem(at: temporary.file("a"))
        if isMadeAgain {
            try files.createDirectory(at: temporary.file("a"), withIntermediateDirectories: false)
        }
        let new = try notes("a")
        try new.append(.milk)
        #expect(Array(new.items) == [.milk])
    }

    @Test func childOfANewItemIsNeverThatOfARemovedOne() throws {
        let projects = try Directory<Project>(at: temporary.url, index: "projects.json")
        let old = Project(title: "old")
        try projects.append(old)
        let oldNotes = try projects.child(.notes, of: old.id)
        try oldNotes.append(.eggs)
        try projects.remove(id: old.id)
        try projects.checkpoint()
        // File systems give one of the new folders the inode of the removed one.
        let new = (0..<20).map { Project(title: "\($0)") }
        try projects.append(contentsOf: new)
        for project in new {
            let newNotes = try projects.child(.notes, of: project.id)
            #expect(newNotes.isEmpty)
            expectError(.containerRemoved) { try oldNotes.append(.salt) }
            try newNotes.append(.milk)
            #expect(Array(newNotes.items) == [.milk])
        }
        #expect(Array(oldNotes.items) == [.eggs])
    }

    @Test func handleByPathLeavesTheHandleOfAChildUsable() throws {
        let projects = try Directory<Project>(at: temporary.url, index: "projects.json")
        let project = Project(title: "Apollo")
        try projects.append(project)
        let child = try projects.child(.notes, of: project.id)
        let byPath = try notes("Project_Apollo")
        try expectShared(child, byPath)
        try projects.update(id: project.id) { $0.title = "Gemini" }
        try expectShared(child, byPath)
        try expectShared(child, notes("Project_Gemini"))
        try expectShared(byPath, projects.child(.notes, of: project.id))
    }

    @Test func movedFolderIsOpenedAnewByItsNewPath() throws {
        let first = try notes("a")
        try first.append(.eggs)
        try files.moveItem(at: temporary.file("a"), to: temporary.file("b"))
        let second = try notes("b")
        try second.append(.milk)
        #expect(Array(second.items) == [.eggs, .milk])
        expectError(.containerRemoved) { try first.append(.salt) }
        #expect(try !temporary.tree().contains("a"))
    }

    @Test func otherIndexOrFolderIsAnotherCollection() throws {
        let first = try notes()
        try first.append(.eggs)
        #expect(try notes("a").isEmpty)
        #expect(try Directory<Note>(at: temporary.url, index: "more.json").isEmpty)
    }

    @Test func indexIsReadAgainWhenAllHandlesAreGone() throws {
        try notes().append(.eggs)
        let notes = try notes()
        #expect(notes.phase == .idle)
        #expect(notes.isEmpty)
        try notes.load()
        #expect(Array(notes.items) == [.eggs])
    }

    @Test func changesOfAnotherProcessArePickedUpBeforeAChange() throws {
        let (notes, others) = (try notes(), try others())
        try notes.append(.eggs)
        try others.append(.rice)
        try notes.append(.milk)
        try others.insert(.pears, at: 0)
        try notes.move(fromOffsets: [0], toOffset: 4)
        #expect(try temporary.notesOnDisk().map(\.id) == [1, 8, 2, 7])
        expectError(.duplicateID) { try notes.append(Note(id: 7, title: "x")) }
        try others.remove(id: 1)
        expectError(.itemNotFound) { try notes.update(.eggs) }
        #expect(notes.items.map(\.id) == [8, 2, 7])
    }

    @Test func appendsOfTwoProcessesAtOnceAreAllKept() async throws {
        let options = DirectoryOptions(durability: .relaxed)
        let notes = try Directory<Note>(
            at: temporary.url, index: "notes.json", options: options)
        let others = try others(options)
        await withThrowingTaskGroup { group in
            for id in 0..<40 {
                group.addTask { try await notes.append(Note(id: 2 * id, title: "x")) }
                group.addTask { try await others.append(OtherNote(id: 2 * id + 1, title: "y")) }
            }
        }
        let ids = try temporary.notesOnDisk().map(\.id)
        #expect(ids.sorted() == Array(0..<80))
        try await notes.load()
        try await others.load()
        #expect(notes.items.map(\.id) == ids)
        #expect(others.items.map(\.id) == ids)
    }

    @Test func appendsOfManyThreadsAreAllKept() throws {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                let notes = try notes("a")
                for id in 0..<8 { try notes.append(Note(id: thread * 8 + id, title: "x")) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try Set(notes("a").loaded().map(\.id)) == Set(0..<64))
    }

    @Test(arguments: [Duration.zero, .milliseconds(50)])
    func lockThatAnotherProcessHoldsIsAnErrorAfterTheTimeout(_ timeout: Duration) throws {
        let others = try others(.init(lockTimeout: timeout))
        try others.append(.rice)
        let bytes = try temporary.text("notes.json")
        try withExtendedLifetime(heldLock()) {
            let start = ContinuousClock.now
            let error = expectError(.locked) { try others.append(.pears) }
            #expect(start.duration(to: .now) >= timeout)
            #expect(error?.url.lastPathComponent == ".notes.lock")
            try others.load()
        }
        #expect(try temporary.text("notes.json") == bytes)
        try others.append(.pears)
        #expect(others.items.map(\.id) == [8, 7])
    }

    @Test func lockIsWaitedFor() async throws {
        let notes = try notes()
        try await notes.append(.eggs)
        var lock: Handle? = try heldLock()
        let waiting = Task { try await notes.append(.milk) }
        try await Task.sleep(for: .milliseconds(30))
        #expect(try temporary.notesOnDisk() == [.eggs])
        withExtendedLifetime(lock) { lock = nil }
        try await waiting.value
        #expect(try temporary.notesOnDisk() == [.eggs, .milk])
    }

    /// The lock as another process has it, until the handle goes.
    private func heldLock() throws -> Handle {
        let fileSystem = LocalFileSystem()
        let folder = try fileSystem.openFolder(at: temporary.url.path)
        let file = try fileSystem.openFile(".notes.lock", in: folder, for: .update)
        try #require(try fileSystem.tryLock(file))
        return file
    }

    @Test func watchPicksUpChangesAsTheyHappen() async throws {
        let (notes, others) = (try notes(), try others())
        let stream = notes.changes
        let watcher = Task { await notes.watch(every: .milliseconds(1)) }
        try await others.append(.rice)
        #expect(await stream.first(1).map(\.inserted) == [[8]])
        try await others.remove(id: 8)
        #expect(await stream.first(1).map(\.removed) == [[8]])
        watcher.cancel()
        await watcher.value
        try await others.append(.pears)
        #expect(notes.isEmpty)
    }

    @Test func watchTellsOfDamageAndGoesOnAfterIt() async throws {
        let notes = try notes()
        try await notes.append(.eggs)
        let watcher = Task { await notes.watch(every: .milliseconds(1)) }
        defer { watcher.cancel() }
        // Replaced whole, because half of an edit in place may be read as an empty index.
        try Data("[".utf8).write(to: temporary.file("notes.json"), options: .atomic)
        while notes.phase == .loaded { await Task.yield() }
        #expect(Array(notes.items) == [.eggs])
        try Data(#"[{"id":3,"title":"Salt"}]"#.utf8)
            .write(to: temporary.file("notes.json"), options: .atomic)
        while notes.phase != .loaded { await Task.yield() }
        #expect(Array(notes.items) == [.salt])
    }
}

extension Directory {
    fileprivate func loaded() throws -> Items {
        try load()
        return items
    }
}
