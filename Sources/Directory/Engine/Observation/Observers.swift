import Observation
import Synchronization

/// The observers of a collection: of all items, their number, the phase, or single items.
final class Observers: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Whether anything was ever observed.
    private let areThereAny = Atomic(false)
    /// The observers of single items as they are on disk.
    let single = ItemObservers()
    /// The observers of single items as bindings show them.
    let edited = ItemObservers()

    var items: Void { () }
    var count: Void { () }
    var phase: Void { () }
    var canUndo: Void { () }
    var canRedo: Void { () }

    /// Records that the current observer depends on `part`.
    func access(_ part: KeyPath<Observers, Void>) {
        areThereAny.store(true, ordering: .relaxed)
        registrar.access(self, keyPath: part)
    }

    /// Tells the observers of `part` that it changed.
    ///
    /// Who reads a value takes its lock after ``access(_:)``, and who changes it releases that lock before this call. So
    /// an observer that has read the earlier value is known here.
    func change(_ part: KeyPath<Observers, Void>) {
        guard areThereAny.load(ordering: .relaxed) else { return }
        registrar.withMutation(of: self, keyPath: part) {}
    }
}
