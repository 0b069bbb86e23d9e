import Foundation
import Observation
import Preferences
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30))) struct ObservationTests {
    /// Whether an observer was notified.
    private final class Notified: Sendable {
        private let flag = Atomic(false)
        var value: Bool { flag.load(ordering: .relaxed) }
        func set() { flag.store(true, ordering: .relaxed) }
    }

    /// Makes `change` while an observer tracks what `read` reads.
    private func observer(
        of read: () -> Void, while change: () throws -> Void
    ) rethrows -> Notified {
        let notified = Notified()
        withObservationTracking(read) { notified.set() }
        try change()
        return notified
    }

    /// Waits until the observer is notified, which another thread may do.
    private func expectNotified(_ observer: Notified) async {
        while !observer.value { await Task.yield() }
    }

    private func expectNotNotified(_ observer: Notified) {
        #expect(!observer.value)
    }

    @Test func aPreferenceIsObservedWhereverItIsDeclared() async throws {
        let suite = try TemporarySuite()
        @Preference("flag", store: suite.store) var flag = true
        @Preference("flag", store: suite.store) var sameFlag = true
        @Preference("other", store: suite.store) var other = true
        await expectNotified(observer(of: { _ = flag }, while: { flag = false }))
        await expectNotified(observer(of: { _ = flag }, while: { sameFlag = true }))
        expectNotNotified(observer(of: { _ = flag }, while: { flag = true }))
        expectNotNotified(observer(of: { _ = flag }, while: { other = false }))
    }

    @Observable final class Model {
        @ObservationIgnored @Preference("flag", store: .inMemory()) var flag = true
        var title = ""
    }

    @Test func aPreferenceInAnObservableClassIsObserved() async {
        let model = Model()
        await expectNotified(observer(of: { _ = model.flag }, while: { model.flag = false }))
        await expectNotified(observer(of: { _ = model.title }, while: { model.title = "new" }))
        expectNotNotified(observer(of: { _ = model.title }, while: { model.flag = true }))
    }

    @Test func aChangeOfTheDomainIsObserved() async throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 0
        let observer = observer(
            of: { _ = count },
            while: { UserDefaults.standard.setPersistentDomain(["count": 1], forName: suite.name) })
        await expectNotified(observer)
        #expect(count == 1)
    }

    @Test func readingAChangeThatWasNotAnnouncedNotifiesTheObservers() async throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 0
        let observer = try observer(
            of: { _ = count },
            while: {
                try suite.defaults().set(1, forKey: "count")
                #expect(count == 1)
            })
        await expectNotified(observer)
    }
}
