#if !canImport(ObjectiveC)
    import Synchronization

    /// A suite whose file Foundation would look for in another folder, or that it cannot name: `UserDefaults` is not used.
    struct SuiteFileStorage: PreferenceStorage {
        let name: String

        private struct Suite {
            /// The values in the file, as this process has read or written them last; nil before that.
            var stored: [String: PropertyList]?
            /// The new values that are not in the file yet; nil for a key that was removed.
            var unsaved: [String: PropertyList?] = [:]
        }

        private static let suites = Mutex<[String: Suite]>([:])
        /// Held while a suite is read or saved.
        private static let access = Mutex(())

        private func withSuite<Result>(_ body: (inout sending Suite) -> sending Result) -> Result {
            Self.suites.withLock { body(&$0[name, default: Suite()]) }
        }

        func load() throws {
            if withSuite({ $0.stored != nil }) { return }
            try Self.access.withLock { _ in
                let stored = try SuiteFile(name: name).read().compactMapValues(PropertyList.init)
                withSuite { $0.stored = stored }
            }
        }

        func value(forKey key: String, ownDefault: PropertyList?) -> PropertyList? {
            withSuite { $0.unsaved[key] ?? $0.stored?[key] }
        }

        func set(_ value: PropertyList?, forKey key: String) throws {
            try Self.access.withLock { _ in
                let changes = withSuite { suite in
                    suite.unsaved[key] = .some(value)
                    return suite.unsaved
                }
                let stored = try SuiteFile(name: name).apply(changes)
                    .compactMapValues(PropertyList.init)
                withSuite { $0 = Suite(stored: stored) }
            }
        }

        /// Registers nothing: other code reads other values.
        func register(_ value: PropertyList, forKey key: String) {}
    }
#endif
