import Foundation
import Preferences
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// Tests that run in processes of their own.
    struct ProcessTests {
        /// Apart from other tests, because Foundation on Linux does not lock its defaults, and saves all suites of
        /// a process at once.
        @Test func foundationsDefaultsAreNotTrusted() async {
            await #expect(processExitsWith: .success) {
                try ProcessTests.aDefaultIsRegisteredAndNotStored()
                try ProcessTests.aNaNDateGivesTheDefault()
            }
        }

        @Test(arguments: [true, false])
        func everyTypeSurvivesTheKillOfItsProcess(hasHome: Bool) async throws {
            let name = "PreferencesTests-\(UUID())"
            defer { _ = try? TemporarySuite(name: name) }  // It removes the file.
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [name = name as String, hasHome = hasHome as Bool] in
                if !hasHome { unsetenv("HOME") }
                let store = try #require(PreferenceStore(suiteName: name))
                for sample in Sample.all { sample.write(store) }
                kill(getpid(), SIGKILL)
            }
            await #expect(processExitsWith: .success) {
                [name = name as String, hasHome = hasHome as Bool] in
                if !hasHome { unsetenv("HOME") }
                let store = try #require(PreferenceStore(suiteName: name))
                for sample in Sample.all {
                    #expect(sample.isStored(store), "\(sample.name)")
                }
            }
        }

        #if os(Linux)
            /// As in many services.
            @Test(arguments: [nil, "", "relative", "/latin-1"])
            func valuesAreKeptWithoutAHomeInTheEnvironment(_ home: String?) async throws {
                let name = "test-\(UUID())"
                for value in [0, 7] {
                    await #expect(processExitsWith: .success) {
                        [home = home as String?, name = name as String, value = value as Int] in
                        unsetenv("XDG_CONFIG_HOME")
                        Self.setHome(home)
                        let store = try #require(PreferenceStore(suiteName: name))
                        @Preference("count", store: store) var count = 0
                        @Preference("other", store: store) var other: Int?
                        #expect(count == value)
                        (other, count) = (1, 7)
                        #expect(count == 7 && other == 1)
                        other = nil
                        #expect(other == nil)
                    }
                }
                let file = Self.file(ofSuite: name)
                let values = try PropertyListSerialization.propertyList(
                    from: Data(contentsOf: file), format: nil)
                #expect(values as? [String: Int] == ["count": 7])
                try FileManager.default.removeItem(at: file)
            }

            private static func file(ofSuite name: String) -> URL {
                URL(filePath: NSHomeDirectory()).appending(path: ".config/\(name).plist")
            }

            /// `/latin-1` stands for a path that is not UTF-8, at which Foundation would trap.
            private static func setHome(_ home: String?) {
                unsetenv("XDG_CONFIG_HOME")
                guard let home else { return _ = unsetenv("HOME") }
                let isText = home != "/latin-1"
                setenv("HOME", isText ? Array(home.utf8CString) : [0x2F, -23, 0], 1)
                if !isText { setenv("XDG_CONFIG_HOME", [0x2F, -23, 0], 1) }
            }

            @Test func valuesOfTheAppAreKeptWithoutAHome() async {
                let key = "test-\(UUID())"
                for (home, value) in [(nil, nil), ("/latin-1", 6)] as [(String?, Int?)] {
                    await #expect(processExitsWith: .success) {
                        [home = home as String?, key = key as String, value = value as Int?] in
                        Self.setHome(home)
                        let store = PreferenceStore.standard.reporting { error in
                            Issue.record("\(error)")
                        }
                        @Preference(key, store: store) var count: Int?
                        #expect(count == value)
                        count = value == nil ? 6 : nil
                        #expect(count == (value == nil ? 6 : nil))
                    }
                }
                let file = Self.file(ofSuite: ProcessInfo.processInfo.processName)
                let rest = try? PropertyListSerialization.propertyList(
                    from: Data(contentsOf: file), format: nil)
                if (rest as? [String: Any])?.isEmpty == true {
                    try? FileManager.default.removeItem(at: file)  // best effort: it is empty
                }
            }

            /// Foundation may go on with the home that it found first.
            @Test func valuesAreKeptInAHomeThatIsSetMeanwhile() async throws {
                let home = try TemporaryFolder()
                await #expect(processExitsWith: .success) { [home = home.url as URL] in
                    unsetenv("XDG_CONFIG_HOME")
                    _ = UserDefaults.standard.object(forKey: "other")
                    setenv("HOME", home.path, 1)
                    let store = try #require(PreferenceStore(suiteName: "test"))
                        .reporting { error in Issue.record("\(error)") }
                    @Preference("count", store: store) var count = 0
                    count = 7
                    #expect(count == 7)
                }
                await #expect(processExitsWith: .success) { [home = home.url as URL] in
                    unsetenv("XDG_CONFIG_HOME")
                    setenv("HOME", home.path, 1)
                    let store = try #require(PreferenceStore(suiteName: "test"))
                        .reporting { error in Issue.record("\(error)") }
                    @Preference("count", store: store) var count = 0
                    #expect(count == 7)
                }
            }

            /// Foundation would wait for a process that writes to it.
            @Test func aFIFOInPlaceOfAFileIsReportedAndNotRead() async throws {
                let suite = try TemporarySuite()
                try #require(mkfifo(suite.file.path, 0o600) == 0)
                // Before the suite looks at its file.
                defer { _ = unlink(suite.file.path) }
                @Preference("count", store: suite.store) var count = 5
                #expect(count == 5)
                count = 6
                #expect(count == 6 && suite.reports.map(\.code) == [.unreadable, .unsaved])
            }

            @Test func aKeyThatAnotherProcessRemovesIsGoneWithoutAHome() async throws {
                let name = "test-\(UUID())"
                let file = Self.file(ofSuite: name)
                await #expect(processExitsWith: .success) {
                    [name = name as String, file = file as URL] in
                    unsetenv("XDG_CONFIG_HOME")
                    unsetenv("HOME")
                    let store = try #require(PreferenceStore(suiteName: name))
                    @Preference("kept", store: store) var kept: Int?
                    @Preference("removed", store: store) var removed: Int?
                    (kept, removed) = (1, 2)
                    try PropertyListSerialization.data(
                        fromPropertyList: ["other": 3], format: .xml, options: 0
                    ).write(to: file)
                    kept = 4
                    #expect(kept == 4 && removed == nil)
                }
                try FileManager.default.removeItem(at: file)
            }
        #endif

        /// Closed, or on a full disk.
        @Test(arguments: [nil, "/dev/full"])
        func aReportThatCannotBeWrittenIsNotATrap(_ path: String?) async {
            await #expect(processExitsWith: .exitCode(7)) { [path = path as String?] in
                if let path { try #require(dup2(open(path, O_WRONLY), 2) == 2) } else { close(2) }
                let store = PreferenceStore.inMemory()
                Preference("sort", store: store).wrappedValue = "size" as String?
                @Preference("sort", store: store) var sort = Sort.name
                if sort == .name { exit(7) }
            }
        }

        @Test func aRemovedKeyStaysRemovedAfterAKill() async throws {
            let suite = try TemporarySuite()
            await #expect(processExitsWith: .signal(SIGKILL)) { [name = suite.name as String] in
                let store = try #require(PreferenceStore(suiteName: name))
                @Preference("kept", store: store) var kept: Int?
                @Preference("removed", store: store) var removed: Int?
                (kept, removed) = (1, 2)
                removed = nil
                kill(getpid(), SIGKILL)
            }
            #expect(suite.contents.keys.sorted() == ["kept"])
        }

        private static func aDefaultIsRegisteredAndNotStored() throws {
            let suite = try TemporarySuite()
            @Preference("count", store: suite.store) var count = 42
            @Preference("date", store: suite.store) var date: Date?
            #expect(try suite.defaults().integer(forKey: "count") == 42)
            #expect(try suite.defaults().object(forKey: "date") == nil)
            #expect(suite.contents.isEmpty)
        }

        /// Printing such a date traps in Foundation on Linux.
        private static func aNaNDateGivesTheDefault() throws {
            struct Never: RawRepresentable, PreferenceValue {
                var rawValue = Date.now
                init() {}
                init?(rawValue: Date) { nil }
            }
            let suite = try TemporarySuite()
            @Preference("date", store: suite.store) var count = 5
            @Preference("date", store: suite.store) var never: Never?
            let date = Date(timeIntervalSinceReferenceDate: .nan)
            try suite.defaults().set(date, forKey: "date")
            for _ in 1...2 { #expect(count == 5 && never == nil) }
            #expect(suite.reports.map(\.code) == [.unreadable, .unreadable])
            #expect(suite.reports.allSatisfy { !$0.description.isEmpty })
        }
    }
#endif
