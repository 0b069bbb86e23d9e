import Foundation
import Preferences
import Testing

struct PreferenceTests {
    @Test func aGivenUserDefaultsKeepsTheValues() throws {
        let suite = try TemporarySuite()
        let name = suite.name
        let store = PreferenceStore(UserDefaults(suiteName: name) ?? .standard)
        @Preference("given", store: store) var count = 5
        #expect(count == 5)
        count = 6
        let defaults = try suite.defaults()
        #expect(count == 6 && defaults.integer(forKey: "given") == 6)
        defaults.set(7, forKey: "given")
        defaults.synchronize()
        #expect(count == 7)
        defaults.removeObject(forKey: "given")
        defaults.synchronize()
        #expect(count == 5)
    }

    @Test func aPreferenceHasItsDefaultUntilItIsSet() throws {
        let suite = try TemporarySuite()
        @Preference("flag", store: suite.store) var flag = true
        @Preference("date", store: suite.store) var date: Date?
        #expect(flag && date == nil)
        flag = false
        date = .distantPast
        #expect(!flag && date == .distantPast)
        #expect(suite.contents.count == 2)
    }

    @Test func nilRemovesTheKey() throws {
        let suite = try TemporarySuite()
        @Preference("date", store: suite.store) var date: Date?
        @Preference("name", store: suite.store) var name: String? = "default"
        (date, name) = (.distantPast, "set")
        #expect(suite.contents.count == 2)
        (date, name) = (nil, nil)
        #expect(suite.contents.isEmpty)
        #expect(date == nil && name == "default")
    }

    @Test func aKeyCanBeACaseOfAnEnum() throws {
        enum Key: String { case flag, date }
        let suite = try TemporarySuite()
        @Preference(Key.flag, store: suite.store) var flag = true
        @Preference(Key.date, store: suite.store) var date: Date?
        (flag, date) = (false, .distantPast)
        #expect(Set(suite.contents.keys) == ["flag", "date"])
    }

    @Test func preferencesAreEqualAndHashableByTheirValues() {
        let store = PreferenceStore.inMemory()
        let preference = Preference(wrappedValue: 1, "a", store: store)
        let other = Preference(wrappedValue: 2, "b", store: store)
        #expect(preference != other)
        other.wrappedValue = 1
        #expect(preference == other && Set([preference, other]).count == 1)
    }

    @Test func storesOfOneSuiteShareTheirPreferences() throws {
        let suite = try TemporarySuite()
        let second = try #require(PreferenceStore(suiteName: suite.name))
        @Preference("count", store: suite.store) var count = 1
        @Preference("count", store: second) var sameCount = 1
        count = 2
        #expect(sameCount == 2)
    }

    @Test func suitesAndStoresInMemoryAreIndependent() throws {
        let (suite, other) = (try TemporarySuite(), try TemporarySuite())
        let stores = [suite.store, other.store, .inMemory(), .inMemory()]
        for (index, store) in stores.enumerated() {
            Preference(wrappedValue: -1, "count", store: store).wrappedValue = index
        }
        let counts = stores.map { Preference(wrappedValue: -1, "count", store: $0).wrappedValue }
        #expect(counts == [0, 1, 2, 3])
    }

    @Test func theStandardStoreIsTheStandardUserDefaults() {
        let key = "standard-\(UUID())"
        @Preference(key) var text: String?
        text = "set"
        #expect(UserDefaults.standard.string(forKey: key) == "set")
        text = nil
        #expect(text == nil)
    }

    @Test(arguments: ["", "a/b", "../a", "a\u{0}", String(repeating: "a", count: 250)])
    func anInvalidSuiteNameIsRefused(name: String) {
        let isRefused = PreferenceStore(suiteName: name) == nil
        #expect(isRefused)
    }
}
