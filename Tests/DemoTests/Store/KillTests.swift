import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// Kills the demo at random moments while it changes a store.
    @Suite(.timeLimit(.minutes(60))) struct KillTests {
        @Test func storeIsConsistentAfterEveryKill() throws {
            let kills = TestSize.choose(sample: 4, gate: 40, full: 500)
            var random = SeededGenerator()
            let store = try DemoStore()
            var names = ["Apollo", "Gemini"]
            for name in names { try store.succeed("new", name) }
            var counts: [String: Int] = [:]
            var (killed, round) = (0, 0)
            while killed < kills {
                round += 1
                let arguments = try change(of: store, names, round)
                let demo = try store.start(arguments)
                Thread.sleep(forTimeInterval: .random(in: 0...0.05, using: &random))
                kill(demo.process.processIdentifier, SIGKILL)
                let outcome = try demo.outcome()
                counts["\(arguments[0]), \(outcome.status == 0 ? "done" : "killed")", default: 0] +=
                    1
                killed += outcome.status == 0 ? 0 : 1
                #expect(outcome.status == 0 || outcome.status == SIGKILL, "\(outcome.error)")
                let verified = try store.run("verify", "--json")
                #expect(
                    verified.status == 0,
                    "seed \(random.seed), round \(round), \(arguments): \(verified.output)\(verified.error)"
                )
                names = try store.projects().map(\.name)
                for name in names { try store.expectSources(name) }
            }
            try store.expectConsistent()
            print("demo kills: \(kills): \(counts.sorted { $0.key < $1.key })")
        }

        /// The arguments of a command that succeeds on the store as it is.
        private func change(of store: DemoStore, _ names: [String], _ round: Int) throws -> [String]
        {
            guard names.count > 1 else { return ["new", "Project \(round)"] }
            let photos = try store.photos(of: names[0])
            switch round % 6 {
            case 0, 1: return ["import", names[0], Fixtures.folder.path]
            case 2: return ["rename", names[0], "Renamed \(round)"]
            case 3:
                return photos.isEmpty
                    ? ["new", "Project \(round)"]
                    : ["move", names[0], photos[0].id.uuidString, names[1]]
            case 4:
                return photos.isEmpty
                    ? ["note", names[0], "\(round)"]
                    : ["remove", names[0], photos[0].id.uuidString]
            default:
                return names.count > 4
                    ? ["remove", names[1], "--force"] : ["new", "Project \(round)"]
            }
        }
    }
#endif
