#if !canImport(ObjectiveC)
    import FileSystem
    import Foundation
    import Synchronization

    extension UserDefaultsStorage {
        /// The knowledge of this process about the file of a suite.
        struct Suite {
            /// Whether Foundation has read the file.
            var isLoaded = false
            /// Whether reading it has failed, so that Foundation may have kept an empty suite.
            var hasFailed = false
            /// The new values that are not in the file yet; nil for a key that was removed.
            var unsaved: [String: PropertyList?] = [:]
            /// The keys of the file whose values Foundation has from this library; see `tell`.
            var told: Set<String> = []
        }

        private static let suites = Mutex<[String: Suite]>([:])
        /// Held while a suite is read or saved.
        private static let access = Mutex(())

        private func withSuite<Result>(_ body: (inout sending Suite) -> sending Result) -> Result {
            Self.suites.withLock { body(&$0[domainName, default: Suite()]) }
        }

        /// Reads the file of the suite, unless that was done before.
        func load() throws {
            if withSuite({ $0.isLoaded }) { return }
            try Self.access.withLock { _ in
                let hasFailed = withSuite { suite in
                    defer { suite.hasFailed = true }
                    return suite.hasFailed
                }
                let file = SuiteFile(name: domainName)
                let found = try file.read()
                tell(found)
                if !knows(found) || hasFailed {
                    synchronize()
                    let stored = try file.read()
                    guard knows(stored) else {
                        throw FileSystemError("read the preferences in", file.path, .ioError)
                    }
                    confirm(stored.keys, in: stored)
                }
                withSuite { $0.isLoaded = true }
            }
        }

        /// The new value of a key that is not in the file yet.
        func unsavedValue(forKey key: String) -> PropertyList?? {
            withSuite { $0.unsaved[key] }
        }

        /// Sets a value in this process, and saves it with all values that are not saved yet.
        func set(_ value: PropertyList?, forKey key: String) throws {
            try Self.access.withLock { _ in
                let changes = withSuite { suite in
                    suite.unsaved[key] = .some(value)
                    return suite.unsaved
                }
                let stored = try SuiteFile(name: domainName).apply(changes)
                synchronize()
                tell(stored)
                let isLoaded = knows(stored)
                if isLoaded { confirm(changes.keys, in: stored) }
                withSuite {
                    $0 = Suite(isLoaded: isLoaded, hasFailed: !isLoaded, told: $0.told)
                }
            }
        }
    }

    extension UserDefaultsStorage {
        /// Makes Foundation save the values that other code has set with `UserDefaults`, and no others, and then forget the
        /// values that it has read of all suites.
        ///
        /// Does nothing if Foundation would use another file than this library.
        private func synchronize() {
            if UserFolder.isConfigurationKnownToFoundation { defaults.synchronize() }
        }

        /// Gives Foundation the `stored` values, and removes those that are no longer stored, if Foundation would read
        /// another file than this library.
        private func tell(_ stored: [String: Any]) {
            if UserFolder.isConfigurationKnownToFoundation { return }
            let keys = Set(stored.keys)
            let removed = withSuite { suite in
                defer { suite.told = keys }
                return suite.told.subtracting(keys)
            }
            for key in removed { defaults.removeObject(forKey: key) }
            for (key, value) in stored { defaults.set(value, forKey: key) }
        }

        private var known: [String: Any] {
            defaults.persistentDomain(forName: domainName) ?? [:]
        }

        /// Whether Foundation has all keys of `stored`: if it could not read the file, it has an empty
        /// suite.
        private func knows(_ stored: [String: Any]) -> Bool {
            let known = known
            return stored.keys.allSatisfy { known[$0] != nil }
        }

        /// Sets the `stored` values of `keys`, in place of values that other code had set with
        /// `UserDefaults`.
        ///
        /// Nothing is saved if Foundation has these values already.
        private func confirm(_ keys: some Sequence<String>, in stored: [String: Any]) {
            let known = known
            var isChanged = false
            for key in keys {
                defaults.set(stored[key], forKey: key)
                isChanged =
                    isChanged
                    || known[key].flatMap(PropertyList.init)
                        != stored[key].flatMap(PropertyList.init)
            }
            if isChanged { synchronize() }
        }
    }
#endif
