import Foundation
import Synchronization

extension MemoryVolume {
    /// A kind of step that ``fail(_:on:at:)-(_,_,Int)`` lets fail.
    public enum Step: Hashable, Sendable {
        /// One call that changes the items of a collection: an append, a write with all it does, an insert
        /// of a stage, a saved edit of a binding, a transfer.
        case change
        /// One read of an index without a change: `load()`, the first read of a collection, and
        /// `child(_:of:)` and `folder(of:)` of the collection above.
        case load
        /// One call that puts files into a stage: `write`, `copy` and `move` of a ``Stage``, and inserts
        /// of data and of files to copy.
        case staging
    }

    /// Lets one step fail: the next one, or the one with `number` from now on.
    ///
    ///     volume.fail(.noSpace)                       // the next change
    ///     volume.fail(.noSpace, at: 3)                // two changes work, then one fails
    ///     volume.fail(.accessDenied, on: .load)       // the next load
    ///
    /// The step throws a ``DirectoryError`` with `code`, and leaves everything as it was. The texts for people
    /// are those that this code mostly has. The steps after it work. A step counts even if it throws an
    /// error of its own. Checkpoints and repairs are not counted and do not fail.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - step: The kind of step that is counted.
    ///   - number: Which of these steps fails; 1 is the next one.
    public func fail(_ code: DirectoryError.Code, on step: Step = .change, at number: Int = 1) {
        fail(code, on: step, at: number...number)
    }

    /// Lets several steps fail, all that `numbers` contains; 1 is the next one.
    ///
    ///     volume.fail(.noSpace, at: 1...)      // until stopFailing()
    ///
    /// What holds after a step failed is as for ``fail(_:on:at:)-(_,_,Int)``.
    public func fail(
        _ code: DirectoryError.Code, on step: Step = .change,
        at numbers: some RangeExpression<Int> & Sendable
    ) {
        faults.withLock { faults in
            let done = faults.counts[step, default: 0]
            faults.planned[step, default: []].append { number in
                numbers.contains(number - done) ? code : nil
            }
        }
    }

    /// Lets all steps work again.
    public func stopFailing() { faults.withLock { $0.planned = [:] } }
}

extension MemoryVolume {
    /// Which steps fail.
    struct Faults: Sendable {
        /// How many steps there were since the volume was made.
        var counts: [Step: Int] = [:]
        /// Each returns the code for a step, by its number since the volume was made.
        var planned: [Step: [@Sendable (Int) -> DirectoryError.Code?]] = [:]

        func code(of numbers: ClosedRange<Int>, _ step: Step) -> DirectoryError.Code? {
            let planned = planned[step, default: []]
            return numbers.lazy.compactMap { number in
                planned.lazy.compactMap { $0(number) }.first
            }.first
        }
    }

    /// Counts a step, and throws the error if it is to fail.
    func count(_ step: Step, _ operation: String, _ url: URL) throws {
        if let fault = nextFault(on: step, operation, url) { throw fault }
    }

    /// Counts `count` steps that are taken together, and returns the error if one of them is to fail.
    ///
    /// Several steps are not counted then: each of them is tried alone.
    func nextFault(of count: Int = 1, on step: Step, _ operation: String, _ url: URL)
        -> DirectoryError?
    {
        let code: DirectoryError.Code? = faults.withLock { faults in
            let done = faults.counts[step, default: 0]
            let code = faults.code(of: done + 1...done + count, step)
            if count == 1 || code == nil { faults.counts[step] = done + count }
            // Other codes, such as `inDoubt`, would end all of them.
            return count == 1 ? code : code.map { _ in .ioFailure }
        }
        return code.map {
            DirectoryError(
                $0, operation, url, "the memory volume was told to fail",
                people: .init(reason: $0.usualReason ?? DirectoryError.Code.failedDrive))
        }
    }
}
