import Synchronization
import TestSupport
import Testing

/// Leaves out each kind of sync and lock, to see that the explorer notices.
extension ExplorerTests {
    /// Some defects show in few schedules only.
    static let defectSampleSize = 7_500

    /// The defects that break no promise on the disks of the explorer, and why.
    static let harmless = [
        "sync root": "The folder of the whole store is on the disk before any process begins."
    ]

    @Test(.enabled(if: schedule == nil && TestSize.current != .sample))
    func everyDefectIsCaughtOrListedAsHarmless() throws {
        let explorer = try Explorer()
        let random = SeededGenerator()
        let start = ContinuousClock.now
        let defects = try explorer.defects().sorted { "\($0)" < "\($1)" }
        let caught = Mutex<[String: Schedule]>([:])
        // Those that are listed take the most time, because no schedule catches them: only the full size tries them.
        let isFull = TestSize.current == .full
        let unlisted = defects.filter { Self.harmless[$0.description] == nil }
        var sweep = Sweep()
        let tried = isFull ? defects : Array(sweep.some(unlisted, (unlisted.count + 15) / 16))
        onAllCores(tried) { defect in
            do {
                let schedule = try explorer.firstCaught(
                    defect, of: Self.defectSampleSize, seed: random.seed)
                caught.withLock { $0[defect.description] = schedule }
            } catch {
                Issue.record(error)
            }
        }
        let found = caught.withLock { $0 }
        print(
            "defects: \(found.count) caught of \(tried.count), \(random),",
            "\((ContinuousClock.now - start).components.seconds) s")
        for (defect, schedule) in found.sorted(by: { $0.key < $1.key }) {
            print("caught: \(defect) by \(schedule)")
        }
        for defect in tried.map(\.description)
        where found[defect] == nil && Self.harmless[defect] == nil {
            Issue.record("not caught (\(random)): no \(defect)")
        }
        for defect in Set(Self.harmless.keys).subtracting(defects.map(\.description)).sorted() {
            Issue.record("no operation makes the call: \(defect)")
        }
        for (defect, schedule) in found where Self.harmless[defect] != nil {
            Issue.record("not harmless: no \(defect): \(schedule.command)")
        }
    }
}
