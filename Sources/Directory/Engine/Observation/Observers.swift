import Observation

/// The observers of a collection: of all items, their number, the phase, or single items.
final class Observers: Observable, Sendable {
    private let registrar = ObservationRegistrar()
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
        registrar.access(self, keyPath: part)
    }

    /// Tells the observers of `part` that it changed.
    func change(_ part: KeyPath<Observers, Void>) {
        registrar.withMutation(of: self, keyPath: part) {}
    }
}
