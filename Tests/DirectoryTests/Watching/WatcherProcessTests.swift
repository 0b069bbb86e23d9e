import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

#if os(Linux)
    /// What watching costs a process, as the kernel counts it.
    @Suite(.serialized) struct WatcherProcessTests {
        let sandbox: Sandbox
        let notes: Directory<Note>

        init() throws {
            sandbox = try Sandbox()
            notes = try sandbox.journaledNotes()
            try notes.append(.eggs)
        }

        @Test func anIdleWatcherDoesNotWakeUp() async throws {
            let watcher = try WatcherProcess(sandbox.url)
            defer { watcher.end() }
            #expect(await eventually { watcher.last == 1 })
            let (begin, before) = (ContinuousClock.now, try watcher.contextSwitches)
            try await Task.sleep(for: .seconds(3))
            let switches = try watcher.contextSwitches - before
            // On Linux libdispatch itself looks at its threads once a second, and idle ones end. Under
            // `strace -c -f` nothing but that is seen.
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            #expect(Double(switches) <= 6 + 4 * seconds)
            // It is idle, and not deaf.
            try await notes.append(.milk)
            #expect(await eventually { watcher.last == 2 })
        }

        @Test func nothingIsLeftWhenTheLastWatchEnds() async throws {
            let watcher = try WatcherProcess(sandbox.url)
            defer { watcher.end() }
            #expect(await eventually { watcher.last == 1 })
            #expect(try watcher.inotifyInstances == 1)
            try watcher.stopWatching()
            #expect(await eventually { watcher.last == -1 })
            // The thread that waits for events closes the instance when it ends.
            #expect(try await eventually { try watcher.inotifyInstances == 0 })
        }
    }
#endif
