#if !canImport(ObjectiveC)
    import FileSystem
    import Foundation
    import Synchronization

    extension UserDefaultsStorage {
        /// The knowledge of this process about the file of a suite.
        struct Suite {
            var source = Source.unread
            /// The new values that are not in the file yet; nil for a key that was removed.
            var unsaved: [String: PropertyList?] = [:]
        }

        /// Where the values of a suite are read.
        enum Source {
            /// Nowhere yet.
            case unread
            /// Nowhere, because the file could not be read: Foundation may have kept an empty suite, or would wait for ever
            /// for a FIFO.
            case unreadable
            /// In Foundation, which has read the file too.
            case foundation
            /// Here, because Foundation looks for the file in another folder.
            case values([String: PropertyList])
        }

        private static let suites = Mutex<[String: Suite]>([:])
        /// Held while a suite is read or saved.
        private static let access = Mutex(())

        private func withSuite<Result>(_ body: (inout sending Suite) -> sending Result) -> Result {
            Self.suites.withLock { body(&$0[domainName, default: Suite()]) }
        }

        /// Reads the file of the suite, unless that was done before.
        func load() throws {
            let isRead = withSuite { suite in
                switch suite.source {
                case .unread, .unreadable: false
                case .foundation, .values: true
                }
            }
            if isRead { return }
            try Self.access.withLock { _ in
                let hasFailed = withSuite { suite in
                    defer { suite.source = .unreadable }
                    if case .unreadable = suite.source { return true }
                    return false
                }
                let file = SuiteFile(name: domainName)
                var stored = try file.read()
                if UserFolder.isConfigurationKnownToFoundation, !knows(stored) || hasFailed {
                    defaults.synchronize()
                    stored = try file.read()
                    if knows(stored) { confirm(stored.keys, in: stored) }
                }
                let source = source(of: stored)
                withSuite { $0.source = source }
            }
        }

        /// The value of a key that Foundation must not be asked for; nil if it must.
        func ownValue(forKey key: String) -> PropertyList?? {
            withSuite { suite in
                if let unsaved = suite.unsaved[key] { return unsaved }
                return switch suite.source {
                case .foundation: nil
                // A notification can ask before the first read, and Foundation may look in another folder.
                case .unread: UserFolder.isConfigurationKnownToFoundation ? nil : .some(nil)
                case .unreadable: .some(nil)
                case .values(let values): .some(values[key])
                }
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
                if UserFolder.isConfigurationKnownToFoundation {
                    // Foundation saves the values that other code has set with `UserDefaults`, and no others, and then
                    // forgets the values that it has read of all suites.
                    defaults.synchronize()
                    if knows(stored) { confirm(changes.keys, in: stored) }
                }
                let source = source(of: stored)
                withSuite { $0 = Suite(source: source) }
            }
        }
    }

    extension UserDefaultsStorage {
        private func source(of stored: [String: Any]) -> Source {
            UserFolder.isConfigurationKnownToFoundation && knows(stored)
                ? .foundation : .values(stored.compactMapValues(PropertyList.init))
        }

        private var known: [String: Any] {
            defaults.persistentDomain(forName: domainName) ?? [:]
        }

        /// Whether Foundation has all keys of `stored`: if it could not read the file, or reads another one, it has none.
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
            if isChanged { defaults.synchronize() }
        }
    }
#endif
