import Observation

/// Who looks at a collection: at all items, their number, the phase, or single items.
///
/// Items are told apart by the hash of their id; where two share one, an observer of the one hears
/// of the other as well. Nothing here is generic, because making a key path with generic
/// parameters takes longer than reading an item.
final class Observers: Observable, Sendable {
    private let registrar = ObservationRegistrar()

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
}
