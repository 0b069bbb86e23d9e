import Foundation
import Preferences
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct ConcurrencyTests {
    @Test(arguments: [true, false])
    func threadsCanReadSetAndObserveAtOnce(inMemory: Bool) async throws {
        let suite = try TemporarySuite()
        let store = inMemory ? PreferenceStore.inMemory() : suite.store
        let shared = Preference(wrappedValue: -1, "shared", store: store)
        let observer = Task {
            var last = -1
            for await value in shared.projectedValue {
                last = value
                if value == 1000 { break }
            }
            return last
        }
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<TestSize.choose(sample: 10, gate: 50, full: 50) {
                        let own = Preference(wrappedValue: number, "own-\(thread)", store: store)
                        own.wrappedValue = thread
                        shared.wrappedValue = thread * 100 + number
                        #expect(own.wrappedValue == thread)
                        #expect((0..<800).contains(shared.wrappedValue))
                    }
                }
            }
        }
        shared.wrappedValue = 1000
        #expect(await observer.value == 1000)
        #expect(suite.reports.isEmpty)
    }

    @Test func aSettingsStructCanBeSharedByAllThreads() {
        struct Settings: Sendable {
            static let shared = Settings()
            @Preference("flag", store: .inMemory()) var flag = true
        }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in Settings.shared.flag = false }
        #expect(!Settings.shared.flag)
    }
}
