import Synchronization
import TestSupport
import Testing

/// Breaks each protocol in every small way, to see that the simulator notices.
extension SimulatorTests {
    @Test func everyMutantIsCaughtOrKnownToBeHarmless() throws {
        guard let size = Size.all.first(where: { $0.name == Self.argument }) else { return }
        let seed = SeededGenerator().seed
        let start = ContinuousClock.now
        let simulator = try Simulator(size.forMutants, seed: seed)
        let protocols = size.length > 1 ? MutableProtocol.all : MutableProtocol.sample
        let found = Mutex(Result<Mutants, any Error>.success(Mutants()))
        simulator.forEach(protocols) { job in
            let result = Result {
                try job.mutants(simulator) { mutant in
                    found.withLock { (try? $0.get())?.caught.contains(mutant.description) } ?? false
                }
            }
            found.withLock { found in
                found = Result {
                    var mutants = try found.get()
                    try mutants.add(result.get())
                    return mutants
                }
            }
        }
        let mutants = try found.withLock { $0 }.get()
        let survivors = mutants.all.subtracting(mutants.caught)
        print(
            "mutants: \(mutants.caught.count) caught of \(mutants.all.count),",
            "\(survivors.count) equivalent,",
            "\((ContinuousClock.now - start).components.seconds) s")
        let harmless = HarmlessMutants.all
        for mutant in survivors.subtracting(harmless).sorted() {
            Issue.record("survived (DIRECTORY_TEST_SEED=\(seed)): \(mutant)")
        }
        for mutant in mutants.caught.intersection(harmless).sorted() {
            Issue.record("not harmless: \(mutant)")
        }
        if protocols.count > 1 { #expect(mutants.all.isSuperset(of: harmless)) }
    }

    /// Mutants by what they say, which is the same for the same step in several changes.
    private struct Mutants {
        var all: Set<String> = []
        var caught: Set<String> = []

        mutating func add(_ mutants: [(mutant: Mutant, isCaught: Bool)]) {
            all.formUnion(mutants.map(\.mutant.description))
            caught.formUnion(mutants.filter(\.isCaught).map(\.mutant.description))
        }
    }
}
