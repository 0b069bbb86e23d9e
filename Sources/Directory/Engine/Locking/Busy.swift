import Foundation

/// Something that a call needs is locked by others: the call releases all its locks before it tries
/// again, because the others may wait for one of these.
struct Busy: Error {
    /// What the user is told if it stays so.
    let error: DirectoryError
}

/// A transaction that this process can neither complete nor undo now: another collection of the same write is damaged
/// or not at its place, or another machine began it and may go on.
///
/// A load can go on. A change cannot: it could use the name of a moving folder for something else.
struct UnendableTransaction: Error {
    /// What the user is told about a change.
    let error: DirectoryError
    /// Whether the other side is not at its place, or the other machine is elsewhere, so that only
    /// ``Directory/repair()`` helps if it stays away.
    let isMissing: Bool
}

extension DirectoryOptions {
    /// Calls `body`, which locks what it needs and releases that when it throws ``Busy``, until it
    /// does not, or until the timeout; the last try is after it.
    func retryingWhileBusy<Result>(_ body: () throws -> Result) throws -> Result {
        let deadline = ContinuousClock.now + patience
        var isLast = false
        while true {
            do {
                return try body()
            } catch let busy as Busy {
                if isLast { throw busy.error }
                isLast = ContinuousClock.now >= deadline
                Thread.sleep(forTimeInterval: .random(in: 0...0.01))
            } catch let peer as UnendableTransaction {
                throw peer.error
            }
        }
    }
}
