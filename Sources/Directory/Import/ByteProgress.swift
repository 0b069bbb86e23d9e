import Foundation
import Synchronization

/// Counts bytes for a `Progress`, on several threads.
///
/// Passes have no `Progress` of their own: it would become a child of the current one, and a second
/// import with the same `Progress` would keep the children of the first.
final class ByteProgress: Sendable {
    private let progress: Progress?
    /// How often each byte is counted.
    private let passes: Int64
    private let pass = Mutex(Pass())

    /// The pass that runs.
    private struct Pass: Sendable {
        /// How many bytes it has counted.
        var counted: Int64 = 0
        /// How many bytes it will count.
        var total: Int64 = 0
        /// The units that were complete when it began.
        var start: Int64 = 0
        /// The units that are complete when it ends.
        var end: Int64 = 0

        /// The units that are complete now.
        var units: Int64 {
            if total == 0 { return start }
            if counted >= total { return end }
            let product = (end - start).multipliedFullWidth(by: counted)
            return start + total.dividingFullWidth(product).quotient
        }
    }

    /// Begins to count `total` bytes, unless `total` is nil, after `earlier` ones that this pass has counted before.
    init(_ progress: Progress?, of total: Int? = nil, after earlier: Int = 0, passes: Int64 = 1) {
        self.progress = progress
        self.passes = passes
        guard let total else { return }
        let sum = Int64(earlier.addingUpToMax(total))
        begin(total, from: Int64(earlier) / passes, to: sum / passes, of: sum)
    }

    /// Begins the last pass over `total` bytes, which can be fewer than those of the pass before.
    ///
    /// If there was one, the units stay as they are, and the rest of them is for this pass: so nothing goes back.
    func beginLastPass(_ total: Int) {
        let units = passes > 1 ? progress?.totalUnitCount ?? 0 : Int64(total)
        begin(total, from: units / passes * (passes - 1), to: units, of: units)
    }

    private func begin(_ total: Int, from start: Int64, to end: Int64, of units: Int64) {
        pass.withLock { $0 = Pass(total: Int64(total), start: start, end: end) }
        progress?.completedUnitCount = start
        // Foundation for Linux traps if a total becomes 0, and a progress of 0 units never ends.
        progress?.totalUnitCount = max(1, units)
    }

    /// Adds `count` bytes of a file.
    ///
    /// - Throws: `CancellationError` if the progress or the task was cancelled.
    func count(_ count: Int) throws {
        if let progress {
            pass.withLock { pass in
                pass.counted = pass.counted.addingUpToMax(Int64(count))
                progress.completedUnitCount = pass.units
            }
        }
        try checkCancellation()
    }

    /// Marks the first pass as done, also if there were fewer bytes than expected.
    func finishPass() {
        progress.map { $0.completedUnitCount = $0.totalUnitCount / passes }
    }

    /// Marks everything as done, also if there were no bytes or fewer than expected.
    func finish() {
        progress.map { $0.completedUnitCount = $0.totalUnitCount }
    }

    func checkCancellation() throws {
        if progress?.isCancelled == true || Task.isCancelled {
            throw CancellationError()
        }
    }
}
