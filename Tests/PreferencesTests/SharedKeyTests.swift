import Foundation
import Preferences
import Testing

/// Stores that use one key: a registered default applies to all suites of the process.
struct SharedKeyTests {
    @Test func eachPreferenceKeepsItsOwnDefault() throws {
        let (suite, other) = (try TemporarySuite(), try TemporarySuite())
        let key = "shared-\(UUID())"
        @Preference(key, store: suite.store) var number = 1
        @Preference(key, store: other.store) var text = "default"
        @Preference(key, store: other.store) var optional: Int?
        @Preference(key, store: suite.store) var sameNumber = 2
        #expect(number == 1 && text == "default" && optional == nil && sameNumber == 2)
        #expect(suite.reports.isEmpty && other.reports.isEmpty)
    }

    @Test(arguments: Sample.all)
    func aDefaultNeverAppliesInAnotherSuite(sample: Sample) throws {
        let (suite, other) = (try TemporarySuite(), try TemporarySuite())
        let key = "shared-\(UUID())"
        sample.read(suite.store, key)
        @Preference(key, store: other.store) var codable: Window?
        #expect(codable == nil && other.reports.isEmpty)
    }

    @Test func aStoredValueIsReadIfItIsTheDefaultOfAnotherSuite() throws {
        let (suite, other) = (try TemporarySuite(), try TemporarySuite())
        let key = "shared-\(UUID())"
        @Preference(key, store: suite.store) var flag = true
        @Preference(key, store: other.store) var otherFlag = false
        flag = false
        #expect(!flag)
    }

    @Test func theStandardStoreKeepsItsOwnDefault() throws {
        let suite = try TemporarySuite()
        let key = "shared-\(UUID())"
        @Preference(key) var number: Int?
        @Preference(key, store: suite.store) var registered = 1
        #expect(number == nil)
        number = 1
        #expect(number == 1)
        number = nil
        #expect(number == nil)
    }
}
