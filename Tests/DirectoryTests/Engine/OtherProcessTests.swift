import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Two processes that use one index at the same time.
@Suite(.timeLimit(.minutes(15))) struct OtherProcessTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes(_ options: DirectoryOptions = .init()) throws -> Directory<Note> {
        try Directory(at: sandbox.url, index: "notes.json", options: options)
    }

    /// The same index as another process opens it.
    private func others(_ options: DirectoryOptions = .init()) throws -> Directory<OtherNote> {
        try Directory(at: sandbox.url, index: "notes.json", options: options)
    }

    @Test func changeIncludesEarlierChangesOfAnotherProcess() throws {
        let (notes, others) = (try notes(), try others())
        try notes.append(.eggs)
        try others.append(.rice)
        try notes.append(.milk)
        try others.insert(.pears, at: 0)
        try notes.move(fromOffsets: [0], toOffset: 4)
        #expect(try sandbox.notesOnDisk().map(\.id) == [1, 8, 2, 7])
        expectError(.duplicateID) { try notes.append(Note(id: 7, title: "x")) }
        try others.remove(id: 1)
        expectError(.itemNotFound) { try notes.update(.eggs) }
        #expect(notes.items.map(\.id) == [8, 2, 7])
    }

    @Test func appendsOfTwoProcessesAreAllKept() async throws {
        let options = DirectoryOptions(durability: .relaxed)
        let (notes, others) = (try notes(options), try others(options))
        try await withThrowingTaskGroup { group in
            for id in 0..<40 {
                group.addTask { try await notes.append(Note(id: 2 * id, title: "x")) }
                group.addTask { try await others.append(OtherNote(id: 2 * id + 1, title: "y")) }
            }
            try await group.waitForAll()
        }
        let ids = try sandbox.notesOnDisk().map(\.id)
        #expect(ids.sorted() == Array(0..<80))
        try await notes.load()
        try await others.load()
        #expect(notes.items.map(\.id) == ids)
        #expect(others.items.map(\.id) == ids)
    }

    @Test(arguments: [Duration.zero, .milliseconds(50)])
    func lockOfAnotherProcessIsAnErrorAfterTheTimeout(_ timeout: Duration) throws {
        let others = try others(.init(lockTimeout: timeout))
        try others.append(.rice)
        let bytes = try sandbox.text("notes.json")
        try withExtendedLifetime(sandbox.lock()) {
            let start = ContinuousClock.now
            let error = expectError(.locked) { try others.append(.pears) }
            #expect(start.duration(to: .now) >= timeout)
            #expect(error?.url.lastPathComponent == ".notes.lock")
            try others.load()
        }
        #expect(try sandbox.text("notes.json") == bytes)
        try others.append(.pears)
        #expect(others.items.map(\.id) == [8, 7])
    }

    @Test func changeWaitsForTheLock() async throws {
        try await notes().append(.eggs)
        let (attempts, attempt) = AsyncStream.makeStream(of: Void.self)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("lock") { attempt.yield() }
            return .works
        }
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", on: process)
        var lock: Handle? = try sandbox.lock()
        let waiting = Task { try await notes.append(.milk) }
        #expect(await attempts.first(2).count == 2)
        #expect(try sandbox.notesOnDisk() == [.eggs])
        withExtendedLifetime(lock) { lock = nil }
        try await waiting.value
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk])
    }

    @Test func watchFollowsAnotherProcess() async throws {
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

    @Test func watchReportsDamageAndContinues() async throws {
        let notes = try notes()
        try await notes.append(.eggs)
        let watcher = Task { await notes.watch(every: .milliseconds(1)) }
        defer { watcher.cancel() }
        // Atomic writes: half of a write in place may be an empty file, which is a valid index.
        try Data("[".utf8).write(to: sandbox.url("notes.json"), options: .atomic)
        while notes.phase == .loaded { await Task.yield() }
        #expect(Array(notes.items) == [.eggs])
        try Data(#"[{"id":3,"title":"Salt"}]"#.utf8)
            .write(to: sandbox.url("notes.json"), options: .atomic)
        while notes.phase != .loaded { await Task.yield() }
        #expect(Array(notes.items) == [.salt])
    }
}
