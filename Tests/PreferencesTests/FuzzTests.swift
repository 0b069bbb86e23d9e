import Foundation
import Preferences
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct FuzzTests {
    @Test func noStoredValueTraps() throws {
        var random = SeededGenerator()
        print("noStoredValueTraps: \(random)")
        let suite = try TemporarySuite()
        let defaults = try suite.defaults()
        for _ in 0..<TestSize.choose(sample: 60, gate: 300, full: 300) {
            defaults.set(random.object(), forKey: "fuzzed")
            for sample in Sample.all { sample.read(suite.store, "fuzzed") }
        }
        #expect(
            suite.reports.count > TestSize.choose(sample: 100, gate: 1_000, full: 1_000),
            "\(random)")
        #expect(suite.reports.allSatisfy { !$0.description.isEmpty }, "\(random)")
    }

    #if os(Linux)
        /// Runs in a process of its own, which a trap would end.
        @Test func noDamagedFileTraps() async throws {
            var random = SeededGenerator()
            print("noDamagedFileTraps: \(random)")
            let seed = random.description
            let suite = try TemporarySuite()
            for sample in Sample.all { sample.write(suite.store) }
            let intact = try Data(contentsOf: suite.file)
            let copies = (0..<TestSize.choose(sample: 2, gate: 10, full: 300)).map {
                URL(filePath: suite.file.path + "-\($0).plist")
            }
            defer { for copy in copies { try? FileManager.default.removeItem(at: copy) } }
            for copy in copies {
                var damaged = intact
                for _ in 0...(random.next() % 4) { random.mutate(&damaged) }
                try damaged.write(to: copy)
            }
            let names = copies.map { $0.deletingPathExtension().lastPathComponent }
            await #expect(processExitsWith: .success, "\(seed)") {
                [names = names as [String]] in
                for name in names {
                    let store = try #require(PreferenceStore(suiteName: name)).reporting { _ in }
                    for sample in Sample.all { sample.read(store, sample.name) }
                }
            }
        }
    #endif
}
