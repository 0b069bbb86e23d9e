import Foundation
import Preferences
import Testing

struct ErrorTests {
    @Test func aValueOfTheWrongTypeGivesTheDefaultAndAReport() throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 5
        try suite.defaults().set("many", forKey: "count")
        #expect(count == 5)
        let report = try #require(suite.reports.first)
        #expect(report.code == .unreadable && report.key == "count")
        #expect(report.underlyingError is DecodingError)
        #expect(report.description.contains("\"count\""))
    }

    @Test func aCodableThatChangedGivesTheDefaultAndAReport() throws {
        struct Old: Codable, PreferenceValue { var title: Int }
        let suite = try TemporarySuite()
        Preference("window", store: suite.store).wrappedValue = Old(title: 1) as Old?
        @Preference("window", store: suite.store) var window = Window(title: "new", width: 1)
        @Preference("window", store: suite.store) var optional: Window?
        #expect(window.title == "new" && optional == nil)
        #expect(suite.reports.map(\.code) == [.unreadable, .unreadable])
    }

    @Test func anEnumThatLostACaseGivesTheDefaultAndAReport() {
        let (store, reports) = memoryStore()
        Preference("sort", store: store).wrappedValue = "size" as String?
        @Preference("sort", store: store) var sort = Sort.name
        #expect(sort == .name && reports.codes == [.unreadable])
    }

    @Test func aNumberThatDoesNotFitGivesTheDefault() {
        let (store, reports) = memoryStore()
        Preference("n", store: store).wrappedValue = 1e300 as Double?
        @Preference("n", store: store) var int = 1
        @Preference("n", store: store) var float: Float = 2
        @Preference("n", store: store) var flag = true
        #expect(int == 1 && float == 2 && flag && reports.all.count == 3)
    }

    @Test func aBooleanIsNotReadAsANumber() throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 5
        try suite.defaults().set(true, forKey: "count")
        #expect(count == 5 && suite.reports.map(\.code) == [.unreadable])
    }

    @Test func aCollectionLeavesOutWhatCannotBeReadAndReportsIt() {
        let (store, reports) = memoryStore()
        Preference("list", store: store).wrappedValue = [1, 300, 2] as [Int]?
        @Preference("list", store: store) var bytes: [UInt8] = [7]
        @Preference("list", store: store) var set: Set<UInt8>?
        #expect(bytes == [1, 2] && set == [1, 2])
        Preference("table", store: store).wrappedValue =
            ["a": [1, -1], "b": [], "c": [-1]] as [String: [Int]]?
        @Preference("table", store: store) var table: [String: [UInt]]?
        #expect(table == ["a": [1], "b": []])
        #expect(reports.codes == Array(repeating: .partlyUnreadable, count: 3))
        @Preference("list", store: store) var stored: [Int]?
        #expect(stored == [1, 300, 2])
        bytes.append(3)
        #expect(stored == [1, 2, 3])
    }

    @Test func aCollectionOfWhichNothingCanBeReadGivesTheDefault() {
        let (store, reports) = memoryStore()
        Preference("list", store: store).wrappedValue = ["a", "b"] as [String]?
        @Preference("list", store: store) var numbers = [7]
        #expect(numbers == [7] && reports.codes == [.unreadable])
    }

    @Test func anUnreadableValueIsReportedOnceAndStaysStored() throws {
        let suite = try TemporarySuite()
        @Preference("count", store: suite.store) var count = 5
        try suite.defaults().set("many", forKey: "count")
        for _ in 1...3 { #expect(count == 5) }
        #expect(suite.reports.count == 1)
        #expect(suite.contents["count"] as? String == "many")
        try suite.defaults().set("few", forKey: "count")
        #expect(count == 5 && suite.reports.count == 2)
        count = 6
        #expect(count == 6 && suite.reports.count == 2)
    }

    @Test func aValueThatCannotBeStoredKeepsTheOldOne() {
        struct Even: PreferenceValue {
            var number: Int
            init(number: Int) { self.number = number }
            init(propertyList: PropertyList) throws { number = try Int(propertyList: propertyList) }
            var propertyList: PropertyList {
                get throws {
                    guard number.isMultiple(of: 2) else { throw CocoaError(.coderInvalidValue) }
                    return try number.propertyList
                }
            }
        }
        let (store, reports) = memoryStore()
        @Preference("even", store: store) var even = Even(number: 0)
        even.number = 2
        #expect(reports.all.isEmpty)
        even.number = 3
        #expect(even.number == 2)
        #expect(reports.codes == [.unwritable] && reports.all.first?.underlyingError is CocoaError)
    }
}
