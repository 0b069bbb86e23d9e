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

        /// The value of a key that Foundation must not be asked for: a new one that is not in the file yet, or none if the
        /// file cannot be read.
        ///
        /// Foundation would wait for ever for a FIFO there.
        func ownValue(forKey key: String) -> PropertyList?? {
            withSuite { suite in
                suite.unsaved[key] ?? (suite.hasFailed && !suite.isLoaded ? .some(nil) : nil)
            }
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
                let isLoaded = knows(stored)
                if isLoaded { confirm(changes.keys, in: stored) }
                withSuite { $0 = Suite(isLoaded: isLoaded, hasFailed: !isLoaded) }
            }
        }
    }

    extension UserDefaultsStorage {
        /// Makes Foundation save the values that other code has set with `UserDefaults`, and no others, and then forget the
        /// values that it has read of all suites.
        private func synchronize() { defaults.synchronize() }

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
