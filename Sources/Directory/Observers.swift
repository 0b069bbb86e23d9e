import Observation
import Synchronization

/// Who looks at a collection: at all items, their number, the phase, or single items.
///
/// Items are told apart by the hash of their id; where two share one, an observer of the one hears
/// of the other as well. Nothing here is generic, because making a key path with generic
/// parameters takes longer than reading an item.
final class Observers: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Whether anyone has ever looked at a single item.
    private let hasItems = Atomic(false)

    var items: Void { () }
    var count: Void { () }
    var phase: Void { () }
    subscript(item hash: Int) -> Void { () }

    /// Tells whoever observes right now that it depends on `part`.
    func access(_ part: KeyPath<Observers, Void>) {
        registrar.access(self, keyPath: part)
    }

    /// Tells those who depend on `part` that it changed.
    func change(_ part: KeyPath<Observers, Void>) {
        registrar.withMutation(of: self, keyPath: part) {}
    }

    /// Tells whoever observes right now that it depends on the item whose id has `hash`.
    func accessItem(_ hash: Int) {
        // Before the item is read: who changes it meanwhile sees this, or the reader the change.
        hasItems.store(true, ordering: .sequentiallyConsistent)
        access(\.[item: hash])
    }

    /// Tells those who depend on single items that those with `ids` changed.
    func changeItems(_ ids: [some Hashable]) {
        guard hasItems.load(ordering: .sequentiallyConsistent) else { return }
        for id in ids { change(\.[item: id.hashValue]) }
    }
}
