import Foundation
import Observation
import Preferences
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct ObservationTests {
    private final class Told: Sendable {
        private let flag = Atomic(false)
        var value: Bool { flag.load(ordering: .relaxed) }
        func set() { flag.store(true, ordering: .relaxed) }
    }

    /// Observes what `read` reads, makes the change, and says whether the observer was told.
    private func told(of read: () -> Void, by change: () throws -> Void) rethrows -> Told {
        let told = Told()
        withObservationTracking(read) { told.set() }
        try change()
        return told
    }

    /// Returns when the observer is told; another thread may be just about to do it.
    private func expect(_ told: Told) async {
        while !told.value { await Task.yield() }
    }

    private func expectNot(_ told: Told) {
        #expect(!told.value)
    }

    @Test func aPreferenceIsObservedWhereverItIs() async throws {
        let suite = try TemporarySuite()
        @Preference("flag", store: suite.store) var flag = true
        @Preference("flag", store: suite.store) var sameFlag = true
        @Preference("other", store: suite.store) var other = true
        await expect(told(of: { _ = flag }, by: { flag = false }))
        await expect(told(of: { _ = flag }, by: { sameFlag = true }))
        expectNot(told(of: { _ = flag }, by: { flag = true }))
        expectNot(told(of: { _ = flag }, by: { other = false }))
    }

    @Observable final class Model {
        @ObservationIgnored @Preference("flag", store: .inMemory()) var flag = true
        var title = ""
    }

    @Test func aPreferenceInAnObservableClassIsObserved() async {
        let model = Model()
        await expect(told(of: { _ = model.flag }, by: { model.flag = false }))
        await expect(told(of: { _ = model.title }, by: { model.title = "new" }))
        expectNot(told(of: { _ = model.title }, by: { model.flag = true }))
    }

    @Test func aChangeOfTheDomainIsObserved() async throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 0
        let told = told(
            of: { _ = count },
            by: { UserDefaults.standard.setPersistentDomain(["count": 1], forName: suite.name) })
        await expect(told)
        #expect(count == 1)
    }

    @Test func whoeverReadsAChangePastThisLibraryTellsTheOthers() async throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 0
        let told = try told(
            of: { _ = count },
            by: {
                try suite.defaults().set(1, forKey: "count")
                #expect(count == 1)
            })
        await expect(told)
    }
}
