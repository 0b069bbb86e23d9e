import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// Processes that change one tree while some of them are killed and others stopped.
    @Suite(.timeLimit(.minutes(30))) struct StressTests {
        /// `STRESS=60` runs for 60 seconds.
        private static var seconds: Double {
            let given = ProcessInfo.processInfo.environment["STRESS"].flatMap(Double.init)
            return given ?? TestSize.choose(sample: 0.5, gate: 6, full: 300)
        }

        @Test func eightProcessesLoseNothingOfATreeWhileSomeAreKilledAndStopped() throws {
            let random = SeededGenerator()
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "directory-stress-\(UUID().uuidString)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "logs"), withIntermediateDirectories: true)
            var supervisor = Supervisor(folder: folder, random: random)
            try supervisor.run(processes: 8, seconds: Self.seconds)
            var faults = supervisor.faults

            let history = try History(logs: folder.appending(path: "logs"))
            let found = try LastOpening(folder: folder.appending(path: "tree")).inspect()
            faults += found.faults
            let checked = history.check(found)
            faults += checked.faults
            print(
                "stress: \(Self.seconds) seconds, \(random), \(supervisor.kills) kills, "
                    + "\(supervisor.stops) stops, \(history.summary), in the end "
                    + "\(found.items.count) items, \(checked.count) of them certain")
            #expect(checked.count > 0)
            #expect(faults == [], "the tree and the logs are in \(folder.path)")
            if faults.isEmpty { try FileManager.default.removeItem(at: folder) }
        }
    }

    /// Starts the processes, kills and stops some, and waits for them.
    private struct Supervisor {
        let folder: URL
        var random: SeededGenerator
        private(set) var faults: [String] = []
        private(set) var kills = 0
        private(set) var stops = 0
        private var started = 0

        init(folder: URL, random: SeededGenerator) {
            self.folder = folder
            self.random = random
        }

        mutating func run(processes count: Int, seconds: Double) throws {
            var processes = try (0..<count).map { _ in try start() }
            let end = ContinuousClock.now + .seconds(seconds)
            while ContinuousClock.now < end, faults.isEmpty {
                let killed = Int.random(in: 0..<count, using: &random)
                let stopped = (killed + .random(in: 1..<count, using: &random)) % count
                for index in [killed, stopped] where !processes[index].isRunning {
                    faults += [processes[index].failure ?? "a process ended early"]
                }
                guard faults.isEmpty else { break }
                processes[stopped].stop()
                stops += 1
                // Sometimes the process is killed while the other one is stopped.
                if Bool.random(using: &random) { Thread.sleep(forTimeInterval: 0.025) }
                try processes[killed].end()
                kills += 1
                processes[killed] = try start()
                Thread.sleep(forTimeInterval: 0.05)
                processes[stopped].resume()
                Thread.sleep(forTimeInterval: 0.05)
            }
            try finish(processes)
        }

        private mutating func start() throws -> TreeProcess {
            started += 1
            return try TreeProcess(started, seed: random.next(), in: folder)
        }

        /// Lets each process end what it is doing.
        private mutating func finish(_ processes: [TreeProcess]) throws {
            try Data().write(to: folder.appending(path: "stop"))
            let end = ContinuousClock.now + .seconds(60)
            for process in processes {
                while process.isRunning, ContinuousClock.now < end {
                    Thread.sleep(forTimeInterval: 0.01)
                }
                if process.isRunning {
                    faults.append("a process hangs")
                    try process.end()
                } else if let failure = process.failure {
                    faults.append(failure)
                }
            }
        }
    }
#endif
