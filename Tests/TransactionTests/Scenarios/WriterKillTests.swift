import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import Synchronization
import StoreModel
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// Kills processes on the file system of the machine.
    @Suite(.serialized, .timeLimit(.minutes(60))) struct WriterKillTests {
        /// What another process reads; it leaves the journal, unless it closes the collection.
        private func read(_ folder: URL, closing: Bool) throws -> (
            notes: [Note], findings: [Finding]
        ) {
            let process = ProcessFileSystem(LocalFileSystem())
            let notes = try Directory<Note>(at: folder, index: "notes.json", on: process)
            defer { withExtendedLifetime(notes) { if !closing { process.kill() } } }
            try notes.load()
            return (Array(notes.items), try notes.verify())
        }

        @Test(arguments: ["rewrite", "journal"]) func killedWriterLosesNoAcknowledgedCommit(
            _ mode: String
        ) throws {
            let sandbox = try Sandbox()
            let folder = sandbox.url("store")
            let model = WriterModel(writer: 1)
            let kills = TestSize.choose(sample: 3, gate: 20, full: 1_000)
            var random = SeededGenerator()
            var total = (commits: 0, journals: 0, unacknowledged: 0)
            for round in 0..<kills {
                let began = DispatchSemaphore(value: 0)
                let writer = try TestProcess(
                    "write-notes", [folder.path, "1", "0", mode, "durable"]
                ) { _ in began.signal() }
                began.wait()
                Thread.sleep(forTimeInterval: .random(in: 0...0.03, using: &random))
                writer.end()
                let said = try #require(writer.last)
                if sandbox.exists("store/.notes.journal") { total.journals += 1 }
                let (notes, findings) = try read(folder, closing: round % 10 == 9)
                let (count, own) = model.find(in: notes)
                let place: Comment = "round \(round), \(random)"
                #expect(count == said || count == said + 1, place)
                #expect(own == model.notes(after: count), place)
                #expect(own.count == notes.count && findings == [], place)
                if count > said { total.unacknowledged += 1 }
                total.commits = count
            }
            print(
                "kills: \(mode): \(kills) kills, \(total.commits) commits, a journal after "
                    + "\(total.journals), one commit more than was heard of after "
                    + "\(total.unacknowledged)")
        }

        /// The state that the readers and the supervisor of many writers share.
        private struct Progress {
            var acknowledged: [Int]
            var snapshots = 0
            var faults: [String] = []
            var isOver = false
        }

        /// One of the writers is killed every 50 ms and started again, while readers take snapshots
        /// without a lock.
        @Test func manyWritersAndReadersAgreeWhileSomeAreKilled() throws {
            let sandbox = try Sandbox()
            let folder = sandbox.url("store")
            let writers = TestSize.choose(sample: 3, gate: 8, full: 8)
            let commits = TestSize.choose(sample: 25, gate: 120, full: 10_000)
            let progress = Mutex(Progress(acknowledged: Array(repeating: 0, count: writers)))
            @Sendable func start(_ number: Int) throws -> TestProcess {
                let durability = number.isMultiple(of: 4) ? "durable" : "relaxed"
                return try TestProcess(
                    "write-notes",
                    [folder.path, "\(number)", "\(commits)", "journal", durability]
                ) { count in
                    progress.withLock { $0.acknowledged[number] = count }
                }
            }
            let readers = [true, false].map { isAnew in
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    while !progress.withLock({ $0.isOver }) {
                        do {
                            try takeSnapshots(of: folder, isAnew ? 1 : 50, progress)
                        } catch {
                            progress.withLock { $0.faults.append("\(error)") }
                        }
                    }
                    done.signal()
                }
                return done
            }
            let (kills, failures) = try supervise(writers, start)
            progress.withLock { $0.isOver = true }
            for reader in readers { reader.wait() }

            #expect(failures == [])
            let (notes, findings) = try read(folder, closing: true)
            for number in 0..<writers {
                let own = WriterModel(writer: number).find(in: notes).notes
                #expect(own == WriterModel(writer: number).notes(after: commits))
            }
            #expect(notes.count == writers * (WriterModel.kept + 1))
            #expect(findings == [])
            let (faults, snapshots) = progress.withLock { ($0.faults, $0.snapshots) }
            #expect(faults == [])
            print(
                "processes: \(writers) writers, \(writers * commits) commits, \(kills) kills, "
                    + "\(snapshots) snapshots")
        }

        /// Runs all writers until they end; kills one of them every 50 ms and starts it again.
        private func supervise(_ count: Int, _ start: (Int) throws -> TestProcess) throws -> (
            kills: Int, failures: [String]
        ) {
            var writers = try (0..<count).map(start)
            var kills = 0
            var random = SeededGenerator()
            while writers.contains(where: \.isRunning) {
                Thread.sleep(forTimeInterval: 0.05)
                let running = writers.indices.filter { writers[$0].isRunning }
                guard let number = running.randomElement(using: &random) else { break }
                writers[number].end()
                kills += 1
                writers[number] = try start(number)
            }
            return (kills, writers.compactMap(\.failure))
        }

        /// Loads a collection `count` times and checks the notes of every writer.
        ///
        /// They must be those after one of its commits, and include each commit that it had
        /// acknowledged.
        private func takeSnapshots(
            of folder: URL, _ count: Int, _ progress: borrowing Mutex<Progress>
        ) throws {
            let process = ProcessFileSystem(LocalFileSystem())
            let notes = try Directory<Note>(at: folder, index: "notes.json", on: process)
            defer { withExtendedLifetime(notes) { process.kill() } }
            for _ in 0..<count {
                let before = progress.withLock { $0.acknowledged }
                try notes.load()
                let found = Array(notes.items)
                for (number, acknowledged) in before.enumerated() {
                    let model = WriterModel(writer: number)
                    let (count, own) = model.find(in: found)
                    if count < acknowledged || own != model.notes(after: count) {
                        progress.withLock {
                            $0.faults.append(
                                "writer \(number): \(count) of \(acknowledged): \(own.map(\.id))")
                        }
                    }
                }
                progress.withLock { $0.snapshots += 1 }
            }
        }
    }
#endif
