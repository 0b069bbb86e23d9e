import Observation
import Synchronization

/// Whether `change` tells an observer of what `read` reads.
package func isTold(
    _ read: @autoclosure () -> some Any, of change: () throws -> Void
) rethrows -> Bool {
    let isTold = Atomic(false)
    withObservationTracking {
        _ = read()
    } onChange: {
        isTold.store(true, ordering: .relaxed)
    }
    try change()
    return isTold.load(ordering: .relaxed)
}
