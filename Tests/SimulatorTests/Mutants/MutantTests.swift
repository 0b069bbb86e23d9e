import Synchronization
import TestSupport
import Testing

/// Breaks each protocol in every small way, to see that the simulator notices.
extension SimulatorTests {
    @Test(.enabled(if: state == nil)) func everyMutantIsCaughtOrListedAsHarmless() throws {
        let size = try Self.size
        let seed = SeededGenerator().seed
        let start = ContinuousClock.now
        let simulator = try Simulator(size.forMutants, seed: seed)
        let protocols = size.length > 1 ? MutableProtocol.all : MutableProtocol.sample
        let mutants = try Self.mutants(of: protocols, simulator, seed: seed)
        let (caught, survivors) = (mutants.names { $0 }, mutants.names { !$0 })
        print(
            "mutants: \(caught.count) caught of \(mutants.count),",
            "\(survivors.count) equivalent,",
            "\((ContinuousClock.now - start).components.seconds) s")
        let harmless = HarmlessMutants.all
        for mutant in survivors.subtracting(harmless).sorted() {
            Issue.record("survived (DIRECTORY_TEST_SEED=\(seed)): \(mutant)")
        }
        for mutant in caught.intersection(harmless).sorted() {
            Issue.record("not harmless (DIRECTORY_TEST_SEED=\(seed)): \(mutant)")
        }
        guard protocols.count > 1 else { return }
        for mutant in harmless.subtracting(mutants.keys).sorted() {
            Issue.record("no protocol has the mutant: \(mutant)")
        }
    }

    /// Whether each mutant is caught in at least one of the protocols that have it.
    ///
    /// One that is caught is not tried again. One that is listed as harmless is tried in a random
    /// quarter of its protocols, because it takes the most time; in the full size in all of them.
    private static func mutants(
        of protocols: [MutableProtocol], _ simulator: Simulator, seed: UInt64
    ) throws -> [String: Bool] {
        let found = Mutex<[String: Bool]>([:])
        let error = Mutex<(any Error)?>(nil)
        let isFull = simulator.size.length > 2
        onAllCores(protocols.indices) { number in
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            do {
                let mutants = try protocols[number].mutants(simulator) { mutant in
                    let isCaught = found.withLock { $0[mutant] == true }
                    let isChosen = isFull || Int.random(in: 0..<4, using: &random) == 0
                    return isCaught || !isChosen && HarmlessMutants.all.contains(mutant)
                }
                found.withLock { $0.merge(mutants) { $0 || $1 } }
            } catch let thrown {
                error.withLock { $0 = thrown }
            }
        }
        if let error = error.withLock({ $0 }) { throw error }
        return found.withLock { $0 }
    }
}

extension [String: Bool] {
    fileprivate func names(where isTrue: (Bool) -> Bool) -> Set<String> {
        Set(filter { isTrue($0.value) }.keys)
    }
}
