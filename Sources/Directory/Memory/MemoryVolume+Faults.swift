import Foundation
import Synchronization

extension MemoryVolume {
    /// The kinds of steps that ``fail(_:on:at:)-(_,_,Int)`` can make fail.
    public enum Step: Hashable, Sendable {
        /// One call that changes the items of a collection: an append, a write with everything in it, an insert of a
        /// stage, a saved edit of a binding, a transfer.
        case change
        /// One read of an index without a change: `load()`, the first read of a collection, and
        /// `child(_:of:)` and `folder(of:)` of the collection above.
        case load
        /// One call that puts files into a stage: `write`, `copy` and `move` of a ``Stage``, and inserts of data and
        /// of files to copy.
        case staging
    }

    /// Makes one step fail: the next one, or the one with `number` from now on.
    ///
    ///     volume.fail(.noSpace)                       // the next change
    ///     volume.fail(.noSpace, at: 3)                // two changes work, then one fails
    ///     volume.fail(.accessDenied, on: .load)       // the next load
    ///
    /// The step throws a ``DirectoryError`` with `code`, and changes nothing. Its texts for people are the usual ones
    /// of the code. Later steps succeed. A step counts even if it throws an error of its own. Checkpoints and repairs
    /// are not counted and do not fail.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - step: The kind of step that is counted.
    ///   - number: Which of these steps fails; 1 is the next one.
    public func fail(_ code: DirectoryError.Code, on step: Step = .change, at number: Int = 1) {
        fail(code, on: step, at: number...number)
    }

    /// Makes several steps fail, all that `numbers` contains; 1 is the next one.
    ///
    ///     volume.fail(.noSpace, at: 1...)      // until stopFailing()
    ///
    /// The steps fail as with ``fail(_:on:at:)-(_,_,Int)``.
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

    /// Makes all later steps succeed.
    public func stopFailing() { faults.withLock { $0.planned = [:] } }
}

extension MemoryVolume {
    /// The planned failures.
    struct Faults: Sendable {
        /// The number of steps since the volume was made.
        var counts: [Step: Int] = [:]
        /// Each function returns the code for a step; the steps are numbered since the volume was
        /// made.
        var planned: [Step: [@Sendable (Int) -> DirectoryError.Code?]] = [:]
    }

    /// Counts a step; throws the error if it must fail.
    func count(_ step: Step, _ operation: String, _ url: URL) throws {
        if let fault = nextFault(on: step, operation, url) { throw fault }
    }

    /// Counts a step; returns the error if it must fail.
    func nextFault(on step: Step, _ operation: String, _ url: URL) -> DirectoryError? {
        let code: DirectoryError.Code? = faults.withLock { faults in
            let number = faults.counts[step, default: 0] + 1
            faults.counts[step] = number
            return faults.planned[step, default: []].lazy.compactMap { $0(number) }.first
        }
        return code.map {
            DirectoryError($0, operation, url, "the memory volume was told to fail")
        }
    }
}
