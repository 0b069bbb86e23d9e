import Foundation
import Synchronization

/// A store in memory, which registers no defaults.
final class MemoryStorage: PreferenceStorage {
    private let values = Mutex<[String: PropertyList]>([:])

    func load() {}

    func value(forKey key: String, ownDefault: PropertyList?) -> PropertyList? {
        values.withLock { $0[key] }
    }

    func set(_ value: PropertyList?, forKey key: String) {
        values.withLock { $0[key] = value }
    }

    func register(_ value: PropertyList, forKey key: String) {}

    #if canImport(ObjectiveC)
        var observedDefaults: UserDefaults? { nil }
    #endif
}
