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
        for mutant in survivors.subtracting(harmless).sorted() {
            Issue.record("survived (DIRECTORY_TEST_SEED=\(seed)): \(mutant)")
        }
        for (mutant, failure) in caught.sorted(by: { $0.key < $1.key })
        where harmless.contains(mutant) {
            Issue.record("not harmless (DIRECTORY_TEST_SEED=\(seed)): \(mutant): \(failure)")
        }
        guard protocols.count > 1 else { return }
        for mutant in harmless.subtracting(mutants.keys).sorted() {
            Issue.record("no protocol has the mutant: \(mutant)")
        }
    }

    /// How each mutant fails in one of the protocols that have it; nil if it is caught in none.
    ///
    /// One that is caught is not tried again. One that is listed as harmless is tried in one of
    /// 16 of its protocols, by chance, because it takes the most time; in the full size in all of them.
    private static func mutants(
        of protocols: [MutableProtocol], _ simulator: Simulator, seed: UInt64
    ) throws -> [String: String?] {
        let found = Mutex<[String: String?]>([:])
        let error = Mutex<(any Error)?>(nil)
        let isFull = simulator.size.length > 2
        onAllCores(protocols.indices) { number in
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            do {
                let mutants = try protocols[number].mutants(simulator) { mutant in
                    let isCaught = found.withLock { $0[mutant] ?? nil } != nil
                    let isChosen = isFull || Int.random(in: 0..<16, using: &random) == 0
                    return isCaught || !isChosen && HarmlessMutants.all.contains(mutant)
                }
                found.withLock { $0.merge(mutants) { $0 ?? $1 } }
            } catch let thrown {
                error.withLock { $0 = thrown }
            }
        }
        if let error = error.withLock({ $0 }) { throw error }
        return found.withLock { $0 }
    }
}
