import Observation
import Synchronization

/// The observers that were notified; they may run on any thread.
final class ObserverLog: Sendable {
    private let names = Mutex<[String]>([])

    /// The names of the notified observers, in order.
    var notified: [String] { names.withLock { $0 } }

    /// Observes the values that `read` reads until their first change; then adds `name` to ``notified``.
    func observe(_ name: String, _ read: () -> Void) {
        withObservationTracking(read) { [self] in
            names.withLock { $0.append(name) }
        }
    }
}
