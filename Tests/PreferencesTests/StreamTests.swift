import Foundation
import Synchronization
import Testing

@testable import Preferences

@Suite(.timeLimit(.minutes(30))) struct StreamTests {
    @Test func theCurrentValueComesFirstAndThenEveryChange() async {
        @Preference("count", store: .inMemory()) var count = 0
        count = 1
        var values = $count.makeAsyncIterator()
        #expect(await values.next() == 1)
        for number in 2...5 { count = number }
        for number in 2...5 { #expect(await values.next() == number) }
    }

    @Test func aChangeOfAnotherPreferenceWithTheKeyIsInTheStream() async throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 0
        var values = $count.makeAsyncIterator()
        #expect(await values.next() == 0)
        await Task.detached {
            let store = PreferenceStore(suiteName: suite.name) ?? .standard
            Preference(wrappedValue: 9, "count", store: store).wrappedValue = 1
        }.value
        #expect(await values.next(otherThan: 0) == 1)
    }

    @Test func aChangeByUserDefaultsIsInTheStream() async throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 0
        var values = $count.makeAsyncIterator()
        #expect(await values.next() == 0)
        try suite.defaults().set(1, forKey: "count")
        #expect(await values.next(otherThan: 0) == 1)
        UserDefaults.standard.setPersistentDomain(["count": 2], forName: suite.name)
        #expect(await values.next(otherThan: 1) == 2)
        try suite.defaults().removeObject(forKey: "count")
        #expect(await values.next(otherThan: 2) == 0)
    }

    @Test func anUnreadableValueIsTheDefaultInTheStream() async {
        let (store, reports) = memoryStore()
        @Preference("value", store: store) var number: Int?
        @Preference("value", store: store) var text: String?
        var numbers = $number.makeAsyncIterator()
        #expect(await numbers.next() == .some(nil))
        number = 1
        #expect(await numbers.next() == 1)
        text = "bad"
        #expect(await numbers.next() == .some(nil))
        #expect(reports.codes == [.unreadable])
        number = nil
        #expect(await numbers.next() == .some(nil))
    }

    @Test func settingAnEqualValueIsNotAChange() async {
        @Preference("value", store: .inMemory()) var value = Double.nan
        value = .nan
        var values = $value.makeAsyncIterator()
        #expect(await values.next()?.isNaN == true)
        value = .nan
        value = 1
        #expect(await values.next() == 1)
    }

    @Test func everyIterationHasAllValues() async {
        @Preference("count", store: .inMemory()) var count = 0
        let values = $count
        var (first, second) = (values.makeAsyncIterator(), values.makeAsyncIterator())
        count = 1
        for number in 0...1 {
            #expect(await first.next() == number)
            #expect(await second.next() == number)
        }
    }

    @Test func anIterationEndsWithItsTask() async {
        @Preference("count", store: .inMemory()) var count = 0
        let values = $count
        let task = Task {
            var seen = [Int]()
            for await value in values { seen.append(value) }
            return seen
        }
        task.cancel()
        #expect(await task.value.count <= 1)
    }

    @Test func aStreamOutlivesItsPreference() async {
        let store = PreferenceStore.inMemory()
        var values = Preference(wrappedValue: 0, "count", store: store).projectedValue
            .makeAsyncIterator()
        #expect(await values.next() == 0)
        Preference(wrappedValue: 0, "count", store: store).wrappedValue = 1
        #expect(await values.next() == 1)
    }

    @Test func aReleasedIterationReleasesItsPreference() async throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 0
        weak var dropped: LivePreference<Int>?
        do {
            let values = Preference(wrappedValue: 0, "count", store: suite.store).projectedValue
            dropped = values.live
            do {
                var iterator = values.makeAsyncIterator()
                #expect(await iterator.next() == 0)
                #expect(values.live.state.withLock { $0.streams.count } == 1)
            }
            #expect(values.live.state.withLock { $0.streams.count } == 0)
        }
        while dropped != nil { try await Task.sleep(for: .milliseconds(1)) }
    }
}

extension PreferenceValues.Iterator where Value: Equatable {
    /// The next value that differs from `last`.
    ///
    /// On Linux, the last value can come once more: while one suite is saved, Foundation reads all of
    /// them again, and other tests save theirs.
    fileprivate mutating func next(otherThan last: Value) async -> Value? {
        while let next = await next() { if next != last { return next } }
        return nil
    }
}
