import Foundation
import Preferences

enum Sort: String, PreferenceValue { case name, date }
enum Level: Int, Codable, PreferenceValue { case low = 1, high = 2 }

struct Days: OptionSet, PreferenceValue {
    let rawValue: UInt8
}

struct Window: Codable, Hashable, PreferenceValue {
    var title: String
    var width: Double
    var screens: [Int?] = [1, nil]
}

/// A value of one type, often at the limits of the type or of what Foundation on Linux keeps.
struct Sample: Sendable {
    let name: String
    /// Stores the value.
    let write: @Sendable (PreferenceStore) -> Void
    /// Whether the store has this value.
    let isStored: @Sendable (PreferenceStore) -> Bool
    /// Reads the value of a key twice: as an optional, and with this value as the default.
    let read: @Sendable (PreferenceStore, _ key: String) -> Void

    init<Value: PreferenceValue & Equatable>(_ name: String, _ value: Value) {
        self.name = name
        write = { store in
            @Preference(name, store: store) var preference: Value?
            preference = value
        }
        isStored = { store in
            @Preference(name, store: store) var preference: Value?
            return preference == value
        }
        read = { store, key in
            @Preference(key, store: store) var optional: Value?
            @Preference(key, store: store) var preference = value
            _ = (optional, preference)
        }
    }

    static let all = [
        Sample("Bool", true),
        Sample("Int", Int.min),
        Sample("Int8", Int8.min),
        Sample("Int16", Int16.max),
        Sample("Int32", Int32.min),
        Sample("Int64", Int64.max),
        Sample("UInt", UInt.max),
        Sample("UInt8", UInt8.max),
        Sample("UInt16", UInt16.max),
        Sample("UInt32", UInt32.max),
        Sample("UInt64", UInt64.max),
        Sample("Float", Float(0.1)),
        Sample("Float, infinite", -Float.infinity),
        Sample("Double", Double.greatestFiniteMagnitude),
        Sample("Double, whole", 5.0),
        Sample("String", "a\u{1}b\u{0}<&]]>\r\n\u{FFFE}\u{E9}"),
        Sample("String, empty", ""),
        Sample("URL", URL(filePath: "/tmp/a b/")),
        Sample("URL, remote", [URL(string: "https://example.com/b?c=1#d")].compactMap(\.self)),
        Sample("Date", Date(timeIntervalSinceReferenceDate: 12345.678901)),
        Sample("Date, whole", Date(timeIntervalSinceReferenceDate: 12345)),
        Sample("Date, distant", Date.distantPast),
        Sample("Date, beyond", Date(timeIntervalSinceReferenceDate: 1e300)),
        Sample("Data", Data([0, 255])),
        Sample("Array", [1, 0.1, .infinity] as [Float]),
        Sample("Array, nested", [[Date.distantFuture, Date(timeIntervalSince1970: 0.5)], []]),
        Sample("Set", ["a", ""] as Set),
        Sample("Dictionary", ["": [.max, 0], "k<": []] as [String: Set<UInt64>]),
        Sample("RawRepresentable", Sort.date),
        Sample("RawRepresentable, Codable", Level.high),
        Sample("RawRepresentable, array", [Days(rawValue: 17)]),
        Sample("Codable", Window(title: "w", width: .infinity)),
        Sample("Codable, nested", ["a": [Window(title: "", width: 0.1)]]),
    ]
}
