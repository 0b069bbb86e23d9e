import Foundation

/// Another thread or process has a lock that a call needs.
///
/// The call releases all its locks before it tries again, because the other one may wait for one of
/// these.
struct Busy: Error {
    /// The error for the user if the lock stays taken.
    let error: DirectoryError
}

/// A transaction that this process can neither complete nor undo now: another collection of the same write is damaged
/// or not at its place, or another machine began it and may continue.
///
/// A load can succeed nevertheless. A change cannot: it could use the name of a moving folder for something else.
struct UnendableTransaction: Error {
    /// The error for the user of a change.
    let error: DirectoryError
    /// Whether the other collection is not at its place, or the other machine is elsewhere: if that
    /// stays so, only ``Directory/repair()`` helps.
    let isMissing: Bool
}

extension DirectoryOptions {
    /// Calls `body` until it does not throw ``Busy``, with a last try after the timeout.
    ///
    /// `body` locks the indexes that it needs, and releases them before it throws ``Busy``.
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
