import DirectoryReplicas
import Testing
import TestSupport

@Suite struct MutantTests {
    /// Each mutant that is not listed as harmless is noticed by one of some runs of the model: the gate tries one
    /// such mutant, a sample none, because that can take many runs.
    @Test(.enabled(if: TestSize.current != .sample), arguments: Mutant.noticed)
    func theModelNotices(mutant: Mutant) throws {
        var random = SeededGenerator(named: mutant.name)
        let limit = TestSize.choose(sample: 0, gate: 400, full: 1000)
        for number in 1...limit where try isNoticed(mutant, seed: random.next() >> 32) {
            print("mutant noticed by run \(number): \(mutant.name)")
            return
        }
        Issue.record("not noticed by \(limit) runs: \(mutant.name), \(random)")
    }

    /// If one of these is noticed, it is not harmless.
    @Test(arguments: Sweep.cases(Mutant.all.filter { $0.reason != nil }, sample: 1, gate: 2))
    func harmlessMutantsLoseNothing(mutant: Mutant) throws {
        var random = SeededGenerator(named: mutant.name)
        for _ in 0..<TestSize.choose(sample: 1, gate: 1, full: 1000) {
            let seed = random.next() >> 32
            #expect(try !isNoticed(mutant, seed: seed), "\(mutant.name), seed \(seed)")
        }
    }

    @Test func thereAreMoreThanThirty() { #expect(Mutant.all.count > 30) }

    private func isNoticed(_ mutant: Mutant, seed: UInt64) throws -> Bool {
        var settings = Model.Settings(crashes: 0.4)
        mutant.change(&settings)
        do {
            var model = try Model(seed: seed, settings)
            try model.run()
            return false
        } catch {
            return true
        }
    }
}

extension Mutant {
    fileprivate static let noticed = {
        var sweep = Sweep()
        let all = Mutant.all.filter { $0.reason == nil }
        return Array(sweep.some(all, 1))
    }()
}
