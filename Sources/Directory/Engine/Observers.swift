import Observation
import Synchronization

/// The observers of a collection: of all items, their number, the phase, or single items.
///
/// Items are told apart by ten bits of the hash of their id; if two have the same, an observer of
/// one is also told about the other. Making a key path for each item would take twice as long as
/// reading the item.
final class Observers: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Whether anyone has ever looked at a single item.
    private let hasItems = Atomic(false)

    /// What observers of single items depend on.
    private static let parts: [any KeyPath<Observers, Void> & Sendable] =
        (0..<1024).map { \.[part: $0] }

    var items: Void { () }
    var count: Void { () }
    var phase: Void { () }
    var canUndo: Void { () }
    var canRedo: Void { () }
    private subscript(part number: Int) -> Void { () }

    /// Records that the current observer depends on `part`.
    func access(_ part: KeyPath<Observers, Void>) {
        registrar.access(self, keyPath: part)
    }

    /// Tells those who depend on `part` that it changed.
    func change(_ part: KeyPath<Observers, Void>) {
        registrar.withMutation(of: self, keyPath: part) {}
    }

    /// Records that the current observer depends on the item whose id has `hash`.
    func accessItem(_ hash: Int) {
        // This comes before the item is read. So a thread that changes the item meanwhile sees
        // this flag, or the reader sees the change.
        hasItems.store(true, ordering: .sequentiallyConsistent)
        access(Self.parts[Self.part(of: hash)])
    }

    /// Tells those who depend on single items that those with `ids` changed.
    func changeItems(_ ids: [some Hashable]) {
        guard hasItems.load(ordering: .sequentiallyConsistent) else { return }
        for part in Set(ids.map { Self.part(of: $0.hashValue) }) { change(Self.parts[part]) }
    }

    static func part(of hash: Int) -> Int { hash & 1023 }
}
