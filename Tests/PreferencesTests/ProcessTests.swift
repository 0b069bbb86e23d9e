import Foundation
import Preferences
import Testing

#if os(Linux) || os(macOS)
    /// What needs a process of its own.
    @Suite struct ProcessTests {
        @Test func everyTypeSurvivesTheKillOfItsProcess() async throws {
            let suite = try TemporarySuite()
            await #expect(processExitsWith: .signal(SIGKILL)) { [name = suite.name as String] in
                let store = try #require(PreferenceStore(suiteName: name))
                for sample in Sample.all { sample.write(store) }
                kill(getpid(), SIGKILL)
            }
            await #expect(processExitsWith: .success) { [name = suite.name as String] in
                let store = try #require(PreferenceStore(suiteName: name))
                for sample in Sample.all {
                    #expect(sample.isStored(store), "\(sample.name)")
                }
            }
        }

        @Test func aRemovedKeyStaysRemoved() async throws {
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

        /// Foundation on Linux does not guard what is registered against other tests.
        @Test func aDefaultIsRegisteredAndNotStored() async {
            await #expect(processExitsWith: .success) {
                let suite = try TemporarySuite()
                @Preference("count", store: suite.store) var count = 42
                @Preference("date", store: suite.store) var date: Date?
                #expect(try suite.defaults().integer(forKey: "count") == 42)
                #expect(try suite.defaults().object(forKey: "date") == nil)
                #expect(suite.contents.isEmpty)
            }
        }

        #if os(Linux)
            /// Foundation saves all suites at once, and says if one fails.
            @Test func aFileThatCannotBeWrittenIsReported() async {
                await #expect(processExitsWith: .success) {
                    let suite = try TemporarySuite()
                    try FileManager.default.createDirectory(
                        at: suite.file, withIntermediateDirectories: true)
                    @Preference("count", store: suite.store) var count = 0
                    count = 1
                    #expect(suite.reports.map(\.code) == [.unsaved])
                    #expect(count == 1)
                }
            }
        #endif
    }
#endif
