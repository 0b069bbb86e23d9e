import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

#if os(Linux) || os(macOS)
    /// Processes that hold locks which a write to several collections needs.
    @Suite(.timeLimit(.minutes(30))) struct JointProcessTests {
        private let store: JointStore

        init() throws { store = try JointStore() }

        private func opened(lockTimeout: Duration) throws -> Directory<Box> {
            try Directory<Box>(
                at: store.sandbox.url, index: "boxes.json",
                options: .init(lockTimeout: lockTimeout),
                on: ProcessFileSystem(LocalFileSystem()))
        }

        /// All files without the lock files, which say who had the lock last.
        private func files() throws -> [String: Sandbox.Entry] {
            try store.sandbox.tree().filter { !$0.key.hasSuffix(".lock") }
        }

        @Test func aStoppedProcessStopsWhatNeedsItsLockAndNoMore() throws {
            let holder = try Holder(store, "One", index: "parts.json", ids: [1])
            defer { holder.process.end() }
            let (contents, before) = try (store.contents(), files())
            holder.process.stop()
            let boxes = try opened(lockTimeout: .milliseconds(300))
            var runs = 0
            func change() throws {
                try boxes.write { draft in
                    runs += 1
                    try draft.append(Box(id: 9, folderName: "Nine"))
                    try draft.write(.notes, of: 9) { try $0.append(.salt) }
                    try draft.write(.notes, of: 2) { try $0.append(.salt) }
                    try draft.write(.parts, of: 1) {
                        try $0.append(Box(id: 8, folderName: "Eight"))
                    }
                }
            }
            let time = ContinuousClock().measure { expectError(.locked) { try change() } }
            #expect(time >= .milliseconds(300) && runs > 1)
            #expect(try files() == before)
            #expect(try store.contents() == contents)
            #expect(boxes.items.map(\.id) == [1, 2])
            // What the stopped process does not have can be changed.
            try opened(lockTimeout: .seconds(20)).write { draft in
                for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(Note(70)) } }
            }
            holder.process.resume()
            try holder.endWrite()
            try change()
            let added = [
                "1 One/ Note 70", "2 Two/ Note 70", "2 Two/ Salt", "9 Nine/", "9 Nine/ Salt",
                "1 One/1 Part/ Held", "1 One/8 Eight/",
            ]
            #expect(try store.contents() == contents.union(added))
            try store.expectClean("after the process went on")
        }

        /// A lock belongs to an open file, which a program must not get from the process that starts it.
        @Test(arguments: Sweep.cases([false, true], sample: 1))
        func aProgramThatTheProcessStartedKeepsNoLock(
            _ isKilled: Bool
        ) throws {
            let contents = try store.contents()
            let holder = try Holder(store, "", index: "boxes.json", ids: [1, 2], child: "program")
            defer { holder.process.end() }
            let program = Int32(try #require(holder.process.last))
            defer { kill(program, SIGKILL) }
            // On Linux, `Process` waits for the end of both: the program has its socket.
            if isKilled { kill(holder.process.id, SIGKILL) } else { try holder.endWrite() }
            let boxes = try opened(lockTimeout: .seconds(2))
            try boxes.write { draft in
                try draft.append(Box(id: 9, folderName: "Nine"))
                for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(.salt) } }
            }
            #expect(kill(program, 0) == 0)
            let held = isKilled ? [] : ["1 One/ Held", "2 Two/ Held"]
            #expect(
                try store.contents()
                    == contents.union(["9 Nine/", "1 One/ Salt", "2 Two/ Salt"] + held))
            try store.expectClean("while the program runs")
        }

        #if os(Linux)
            /// A fork shares the open files of the process, and with them its locks, until the process releases them.
            @Test(arguments: Sweep.cases([false, true], sample: 1))
            func aForkKeepsTheLocksOfAKilledProcess(
                _ isKilled: Bool
            ) throws {
                let contents = try store.contents()
                let holder = try Holder(store, "", index: "boxes.json", ids: [1, 2], child: "fork")
                defer { holder.process.end() }
                let fork = Int32(try #require(holder.process.last))
                defer { kill(fork, SIGKILL) }
                if isKilled { kill(holder.process.id, SIGKILL) } else { try holder.endWrite() }
                let held = contents.union(isKilled ? [] : ["1 One/ Held", "2 Two/ Held"])
                func change(lockTimeout: Duration) throws {
                    try opened(lockTimeout: lockTimeout).write { draft in
                        for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(.salt) } }
                    }
                }
                if isKilled {
                    let before = try files()
                    expectError(.locked) { try change(lockTimeout: .milliseconds(300)) }
                    #expect(try files() == before)
                    let boxes = try opened(lockTimeout: .zero)
                    try boxes.load()
                    #expect(boxes.items.map(\.id) == [1, 2])
                    kill(fork, SIGKILL)
                }
                try change(lockTimeout: .seconds(20))
                #expect(isKilled || kill(fork, 0) == 0)
                #expect(try store.contents() == held.union(["1 One/ Salt", "2 Two/ Salt"]))
                try store.expectClean("beside the fork, or after it has ended")
            }
        #endif
    }

    /// A process that holds the locks of boxes and of their notes.
    private struct Holder {
        let process: TestProcess
        private let input = Pipe()
        private let reported = DispatchSemaphore(value: 0)

        /// Returns when the process has all locks, and has started a child of this kind.
        init(
            _ store: JointStore, _ path: String, index: String, ids: [Int], child: String = "none"
        ) throws {
            let ids = ids.map { "\($0)" }.joined(separator: ",")
            process = try TestProcess(
                "hold-boxes", [store.sandbox.url(path).path, index, ids, child], input: input
            ) { [reported] _ in reported.signal() }
            try waitForReport()
        }

        /// Lets the process end its write, and waits for that.
        func endWrite() throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            try waitForReport()
        }

        private func waitForReport() throws {
            try #require(reported.wait(timeout: .now() + 60) == .success)
        }
    }
#endif
