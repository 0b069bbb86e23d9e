public import Observation

/// Some items of a collection, in the order of the view, kept up to date.
///
/// For example, in a view:
///
///     let open = tasks.results(where: { !$0.isDone }, sortedBy: KeyPathComparator(\.due))
///     List(open.items) { task in TaskRow(task) }
///
/// Behaviour:
/// - The results follow a change before the call of the change returns. They apply the change
///   alone, and do not read all items. Readers never see results of a state that the collection
///   does not have yet.
/// - Observers are told if the items of the results changed, not of other changes of the
///   collection.
/// - Items that the order does not tell apart are in the order of the collection.
/// - Positions of the results are not positions of the collection. A list removes and moves its rows by
///   `delete(at:)` and `move(fromOffsets:toOffset:)` of the results.
/// - The results keep the collection open. After their release, they cost nothing.
public final class Results<Item: Codable & Identifiable & Sendable>: Sendable, Observable
where Item.ID: Sendable {
    let directory: Directory<Item>
    /// Whether the items have another order than the collection.
    let isSorted: Bool
    private let view: LiveView<FlatArrangement>

    init(of directory: Directory<Item>, _ arrangement: FlatArrangement) {
        self.directory = directory
        isSorted = arrangement.order.isSorted
        view = LiveView(of: directory.core, arrangement)
    }

    /// The items now, observed; a value that never changes and costs nothing to copy.
    public var items: Directory<Item>.Items { .init(view.value) }

    /// The number of items, observed with them.
    public var count: Int { view.value.count }

    /// Whether there are no items.
    public var isEmpty: Bool { view.value.isEmpty }
}
