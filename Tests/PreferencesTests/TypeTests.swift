import Foundation
import Preferences
import Testing

struct TypeTests {
    @Test(arguments: Sample.all)
    func everyTypeIsKeptInASuite(sample: Sample) throws {
        let suite = try TemporarySuite()
        #expect(!sample.isStored(suite.store))
        sample.write(suite.store)
        #expect(sample.isStored(suite.store))
        #expect(suite.reports.isEmpty)
    }

    @Test(arguments: Sample.all)
    func everyTypeIsKeptInMemory(sample: Sample) {
        let (store, reports) = memoryStore()
        #expect(!sample.isStored(store))
        sample.write(store)
        #expect(sample.isStored(store))
        #expect(reports.all.isEmpty)
    }

    @Test func nanIsKept() throws {
        let suite = try TemporarySuite()
        @Preference("nan", store: suite.store) var number = 1.0
        @Preference("window", store: suite.store) var window = Window(title: "", width: 1)
        number = .nan
        window.width = .nan
        #expect(number.isNaN && window.width.isNaN)
    }

    @Test func plainTypesAreStoredAsThePropertyListTypesOfUserDefaults() throws {
        let suite = try TemporarySuite()
        @Preference("bool", store: suite.store) var bool: Bool?
        @Preference("int", store: suite.store) var int: Int8?
        @Preference("sort", store: suite.store) var sort: Sort?
        @Preference("words", store: suite.store) var words: [String]?
        @Preference("date", store: suite.store) var date: Date?
        (bool, int, sort, words, date) = (true, 7, .name, ["a"], .distantPast)
        let defaults = try suite.defaults()
        #expect(defaults.object(forKey: "bool") as? Bool == true)
        #expect(defaults.object(forKey: "int") as? Int == 7)
        #expect(defaults.string(forKey: "sort") == "name")
        #expect(defaults.stringArray(forKey: "words") == ["a"])
        #expect(defaults.object(forKey: "date") as? Date == .distantPast)
    }

    @Test func numbersAreReadWhateverTheirStoredType() throws {
        let suite = try TemporarySuite()
        @Preference("number", store: suite.store) var double = 0.5
        @Preference("number", store: suite.store) var int = 9
        @Preference("number", store: suite.store) var flag = false
        try suite.defaults().set(1, forKey: "number")
        #expect(double == 1 && int == 1 && flag)
        try suite.defaults().set(1.0, forKey: "number")
        #expect(double == 1 && int == 1)
        #expect(suite.reports.isEmpty)
    }

    @Test func aURLThatUserDefaultsStoredAsAnArchiveIsRead() throws {
        let suite = try TemporarySuite()
        @Preference("url", store: suite.store) var url: URL?
        let remote = URL(string: "https://example.com/a?b=c#d")
        // This is what `set(_:forKey:)` does with it on Apple systems.
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: try #require(remote) as NSURL, requiringSecureCoding: true)
        try suite.defaults().set(archive, forKey: "url")
        #expect(url == remote)
        try suite.defaults().set(Data([1, 2, 3]), forKey: "url")
        #expect(url == nil && suite.reports.map(\.code) == [.unreadable])
    }

    @Test func aURLThatUserDefaultsStoredAsAPathIsAFile() throws {
        let suite = try TemporarySuite()
        @Preference("url", store: suite.store) var url: URL?
        try suite.defaults().set("/tmp/a b", forKey: "url")
        #expect(url == URL(filePath: "/tmp/a b"))
    }
}
