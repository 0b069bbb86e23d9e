/// A value that follows from what one segment wrote of an item, unless something changes it.
protocol WrittenValue: Sendable {
    init(_ plain: ItemState.Plain)
}

/// The values of the items of one kind: those of the items in a file with a state, and the changes since.
struct ItemTable<Value: WrittenValue>: Sendable {
    private var written: WrittenItems?
    /// The values that differ from those in the file; nil for items that are gone.
    private(set) var changes: [ItemKey: Value?] = [:]

    init(_ written: WrittenItems? = nil) { self.written = written }

    /// A table of the same file as another one, with the changes that `value` makes of the changes there.
    init<Other>(
        asIn other: ItemTable<Other>, changes value: (Other) -> Value?
    ) {
        written = other.written
        changes = other.changes.mapValues { $0.flatMap(value) }
    }

    /// The keys of all items that may have other values than in `other`, which has the same file or none.
    func changedKeys<Other>(since other: ItemTable<Other>) -> Set<ItemKey> {
        var keys = Set(changes.keys).union(other.changes.keys)
        if other.written == nil, let written { keys.formUnion(written.lazy.map(\.key)) }
        return keys
    }

    subscript(key: ItemKey) -> Value? {
        get {
            if let change = changes[key] { return change }
            return written?[key].map(Value.init)
        }
        set {
            if newValue == nil, written?[key] == nil {
                changes[key] = nil
            } else {
                changes[key] = .some(newValue)
            }
        }
    }
}

extension ItemTable: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: ItemKey, value: Value)> {
        var (items, rest) = (written?.makeIterator(), changes.makeIterator())
        return AnyIterator {
            while let item = items?.next() {
                if !changes.keys.contains(item.key) { return (item.key, Value(item.plain)) }
            }
            while let change = rest.next() {
                if let value = change.value { return (change.key, value) }
            }
            return nil
        }
    }
}
