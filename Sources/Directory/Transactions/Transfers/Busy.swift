import Foundation

/// Something that a call needs is locked by others: the call releases all its locks before it tries
/// again, because the others may wait for one of these.
struct Busy: Error {
    /// What the user is told if it stays so.
    let error: DirectoryError
}

/// The other side of an unfinished transfer cannot be read, so nobody knows which side has the items.
///
/// A load can go on; a change waits until the other side was repaired.
struct DamagedPeer: Error {
    /// Why it cannot be read.
    let error: DirectoryError
}

extension DirectoryOptions {
    /// Calls `body`, which locks what it needs and releases that when it throws ``Busy``, until it
    /// does not, or until the timeout; the last try is after it.
    func retryingWhileBusy<Result>(_ body: () throws -> Result) throws -> Result {
        let deadline = ContinuousClock.now + lockTimeout
        var isLast = false
        while true {
            do {
                return try body()
            } catch let busy as Busy {
                if isLast { throw busy.error }
                isLast = ContinuousClock.now >= deadline
                Thread.sleep(forTimeInterval: .random(in: 0...0.01))
            } catch let peer as DamagedPeer {
                throw peer.error
            }
        }
    }
}
