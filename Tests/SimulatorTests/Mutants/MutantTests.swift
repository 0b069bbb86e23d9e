import Synchronization
import TestSupport
import Testing

/// Breaks each protocol in every small way, to see that the simulator notices.
extension SimulatorTests {
    @Test(.enabled(if: argument == nil)) func everyMutantIsCaughtOrListedAsHarmless() throws {
        let size = Size.current
        let seed = SeededGenerator().seed
        let start = ContinuousClock.now
        let simulator = try Simulator(size.forMutants, seed: seed)
        let protocols = size.length > 1 ? MutableProtocol.all : MutableProtocol.sample
        let mutants = try Self.mutants(of: protocols, simulator, seed: seed)
        let caught = mutants.compactMapValues(\.self)
        let survivors = Set(mutants.keys).subtracting(caught.keys)
        print(
            "mutants: \(caught.count) caught of \(mutants.count),",
            "\(survivors.count) equivalent,",
            "\((ContinuousClock.now - start).components.seconds) s")
        let harmless = HarmlessMutants.all
        for mutant in survivors.subtracting(harmless).subtracting(HarmlessMutants.rare).sorted() {
            Issue.record("survived (DIRECTORY_TEST_SEED=\(seed)): \(mutant)")
        }
        for (mutant, failure) in caught.sorted(by: { $0.key < $1.key })
        where harmless.contains(mutant) {
            Issue.record("not harmless (DIRECTORY_TEST_SEED=\(seed)): \(mutant): \(failure)")
        }
        guard protocols.count > 1 else { return }
        for mutant in harmless.union(HarmlessMutants.rare).subtracting(mutants.keys).sorted() {
            Issue.record("no protocol has the mutant: \(mutant)")
        }
    }

    /// How each mutant fails in one of the protocols that have it; nil if it is caught in none.
    ///
    /// All are tried during their protocols before any is tried during an operation after one, because
    /// that takes much longer, and one that is caught is not tried again. One that is listed is
    /// tried in one of 16 of its protocols, by chance, because it takes the most time; in the full size in
    /// all of them.
    private static func mutants(
        of protocols: [MutableProtocol], _ simulator: Simulator, seed: UInt64
    ) throws -> [String: String?] {
        let found = Mutex<[String: String?]>([:])
        let isFull = simulator.size.length > 2
        let listed = HarmlessMutants.all.union(HarmlessMutants.rare)
        let recordings = try onAllCores(protocols.indices) { number in
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            return try protocols[number].recordings(simulator).map { recording in
                let all = recording.mutants.map(\.description)
                found.withLock { $0.merge(all.map { ($0, nil) }) { first, _ in first } }
                var chosen = recording
                chosen.mutants.removeAll { mutant in
                    let isChosen = isFull || Int.random(in: 0..<16, using: &random) == 0
                    return !isChosen && listed.contains(mutant.description)
                }
                return chosen
            }
        }.flatMap(\.self)
        let following = simulator.size.length > 1 ? Workload.simulated.map(Optional.some) : []
        for operations in [[nil], following] {
            // Those that are not listed take the most time next.
            let rest = found.withLock { $0.filter { $0.value == nil }.keys }
            let new = Set(rest).subtracting(listed).sorted()
            if operations.count > 1 {
                print("mutants: not caught yet, nor listed:", new.joined(separator: "; "))
            }
            _ = try onAllCores(recordings) { recording in
                try recording.tryMutants(simulator, then: operations) { mutant in
                    found.withLock { $0[mutant] == .some(nil) }
                } caught: { mutant, failure in
                    found.withLock { $0[mutant] = failure }
                }
            }
        }
        return found.withLock { $0 }
    }
}
