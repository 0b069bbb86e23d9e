import Observation
import Synchronization

/// Whether `change` tells an observer of what `read` reads, once.
package func isTold(
    _ read: @autoclosure () -> some Any, of change: () throws -> Void
) rethrows -> Bool {
    let count = Atomic(0)
    withObservationTracking {
        _ = read()
    } onChange: {
        count.add(1, ordering: .relaxed)
    }
    try change()
    return count.load(ordering: .relaxed) == 1
}
