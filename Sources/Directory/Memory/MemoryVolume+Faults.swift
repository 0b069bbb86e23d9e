import Foundation
import Synchronization

extension MemoryVolume {
    /// Lets one change fail: the next one, or the one with `number` from now on.
    ///
    ///     volume.fail(.noSpace)                  // the next change
    ///     volume.fail(.noSpace, atChange: 3)     // two changes work, then one fails
    ///
    /// The change throws a ``DirectoryError`` with `code`, and leaves everything as it was. The changes
    /// after it work.
    ///
    /// A change is one call that changes the items of a collection in this volume: an append, a write
    /// with all it does, an insert of a stage, a saved edit of a binding, a transfer. It counts even if
    /// it throws an error of its own. Loads, stages, checkpoints and repairs are not counted and do not
    /// fail.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - number: Which change fails; 1 is the next one.
    public func fail(_ code: DirectoryError.Code, atChange number: Int = 1) {
        fail(code, atChanges: number...number)
    }

    /// Lets several changes fail, all that `numbers` contains; 1 is the next change.
    ///
    ///     volume.fail(.noSpace, atChanges: 1...)      // until stopFailing()
    ///
    /// What a change is, and what holds after it failed, is as for ``fail(_:atChange:)``.
    public func fail(
        _ code: DirectoryError.Code, atChanges numbers: some RangeExpression<Int> & Sendable
    ) {
        faults.withLock { faults in
            let done = faults.changeCount
            faults.planned.append { number in numbers.contains(number - done) ? code : nil }
        }
    }

    /// Lets all changes work again.
    public func stopFailing() { faults.withLock { $0.planned = [] } }
}

extension MemoryVolume {
    /// Which changes fail.
    struct Faults: Sendable {
        var changeCount = 0
        /// Each returns the code for a change, by its number since the volume was made.
        var planned: [@Sendable (Int) -> DirectoryError.Code?] = []

        func code(of number: Int) -> DirectoryError.Code? {
            planned.lazy.compactMap { $0(number) }.first
        }
    }

    /// Counts `count` changes that are to be committed together, and returns the error if one of them
    /// is to fail.
    ///
    /// Several changes are not counted then: each of them is tried alone.
    func nextFault(of count: Int = 1, _ operation: String, _ url: URL) -> DirectoryError? {
        let code: DirectoryError.Code? = faults.withLock { faults in
            let numbers = faults.changeCount + 1...faults.changeCount + count
            let code = numbers.lazy.compactMap(faults.code).first
            if count == 1 || code == nil { faults.changeCount += count }
            // Other codes, such as `inDoubt`, would end all of them.
            return count == 1 ? code : code.map { _ in .ioFailure }
        }
        return code.map { DirectoryError($0, operation, url, "the memory volume was told to fail") }
    }
}
