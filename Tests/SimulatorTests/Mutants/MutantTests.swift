import StoreModel
import Synchronization
import TestSupport
import Testing

/// Breaks each protocol in every small way, to see that the simulator notices.
extension SimulatorTests {
    @Test(.enabled(if: argument == nil)) func everyMutantIsCaughtOrListedAsHarmless() throws {
        let isFull = TestSize.current == .full
        try checkMutants(
            of: isFull ? MutableProtocol.all : MutableProtocol.sample,
            then: isFull ? Workload.simulated.filter { $0 != .checkpoint } : [],
            Size.current.forMutants, HarmlessMutants.all, rare: HarmlessMutants.rare)
    }

    /// In the full size only, because it takes long: about 14 minutes.
    @Test(.enabled(if: argument == nil && TestSize.current == .full))
    func everyMutantOfAWriteToSeveralCollectionsIsCaughtOrListedAsHarmless() throws {
        try checkMutants(
            of: MutableProtocol.ofTreeWrites, then: [.removeBox, .writeNameAndNote],
            Size.current.forMutantsOfTreeWrites, HarmlessMutants.ofTreeWrites,
            rare: HarmlessMutants.rareOfTreeWrites)
    }

    private func checkMutants(
        of protocols: [MutableProtocol], then following: [StoreOperation], _ size: Size,
        _ harmless: Set<String>, rare: Set<String>
    ) throws {
        let seed = SeededGenerator().seed
        let start = ContinuousClock.now
        let mutants = try Self.mutants(
            of: protocols, then: following, Simulator(size, seed: seed),
            listed: harmless.union(rare))
        let caught = mutants.compactMapValues(\.self)
        let survivors = Set(mutants.keys).subtracting(caught.keys)
        print(
            "mutants: \(caught.count) caught of \(mutants.count),",
            "\(survivors.count) not caught or not tried,",
            "\((ContinuousClock.now - start).components.seconds) s")
        for mutant in survivors.subtracting(harmless).subtracting(rare).sorted() {
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
    /// All are tried during their protocols before any is tried during one of the operations `following`, because
    /// that takes much longer, and one that is caught is not tried again. Those that are listed take the most time:
    /// only the full size tries them.
    private static func mutants(
        of protocols: [MutableProtocol], then following: [StoreOperation], _ simulator: Simulator,
        listed: Set<String>
    ) throws -> [String: String?] {
        let found = Mutex<[String: String?]>([:])
        let isFull = simulator.size.length > 2
        let recordings = try onAllCores(protocols) { mutable in
            try mutable.recordings(simulator).map { recording in
                let all = recording.mutants.map(\.description)
                found.withLock { $0.merge(all.map { ($0, nil) }) { first, _ in first } }
                var chosen = recording
                if !isFull {
                    chosen.mutants.removeAll { listed.contains($0.description) }
                }
                return chosen
            }
        }.flatMap(\.self)
        // A checkpoint shows at once what is wrong with a journal.
        let later: [[StoreOperation?]] = following.isEmpty ? [] : [[.checkpoint], following]
        for operations in [[nil]] + later {
            let rest = found.withLock { $0.filter { $0.value == nil }.keys }
            let new = Set(rest).subtracting(listed).sorted()
            if operations != [nil], !new.isEmpty {
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
        return found.withLock(\.self)
    }
}
