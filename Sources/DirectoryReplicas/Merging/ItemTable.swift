/// A value that follows from what one segment wrote of an item, unless something changes it.
protocol WrittenValue: Sendable {
    init(_ plain: ItemState.Plain)
}

/// The values of the items of one kind: those of the items in a file with a state, and the changes since.
struct ItemTable<Value: WrittenValue>: Sendable {
    private var written: WrittenItems?
    /// Whether an item in the file has the value that was written, by its number there.
    private var isAsWritten: [Bool] = []
    /// The values of all other items.
    private(set) var changes: [ItemKey: Value] = [:]

    init(_ written: WrittenItems? = nil) {
        self.written = written
        isAsWritten = Array(repeating: true, count: written?.count ?? 0)
    }

    /// A table of the same file as another one, with the changes that `value` makes of the changes there.
    init<Other>(asIn other: ItemTable<Other>, changes value: (Other) -> Value?) {
        (written, isAsWritten) = (other.written, other.isAsWritten)
        changes = other.changes.compactMapValues(value)
    }

    mutating func removeAll() {
        isAsWritten = Array(repeating: false, count: isAsWritten.count)
        changes = [:]
    }

    /// The keys of all items that may have other values than in `other`, which has the same file or none.
    func changedKeys<Other>(since other: ItemTable<Other>) -> Set<ItemKey> {
        var keys = Set(changes.keys).union(other.changes.keys)
        for (number, isAsWritten) in isAsWritten.enumerated()
        where isAsWritten != other.hasAsWritten(number) {
            if let item = written?.item(at: number) { keys.insert(item.key) }
        }
        return keys
    }

    private func hasAsWritten(_ number: Int) -> Bool {
        number < isAsWritten.count && isAsWritten[number]
    }

    subscript(key: ItemKey) -> Value? {
        get {
            if let change = changes[key] { return change }
            return found(key).map { Value($0.plain) }
        }
        set {
            if let found = found(key) { isAsWritten[found.number] = false }
            changes[key] = newValue
        }
    }

    private func found(_ key: ItemKey) -> (number: Int, plain: ItemState.Plain)? {
        written?.find(key) { isAsWritten[$0] }
    }

    /// Gives an item the value that was written if `isWritten` says so, and otherwise `value`, or nothing.
    mutating func set(
        _ key: ItemKey, _ value: @autoclosure () -> Value?,
        asWrittenIf isWritten: (ItemState.Plain) -> Bool
    ) {
        let found = written?.find(key)
        let isSame = found.map { isWritten($0.plain) } ?? false
        if let found { isAsWritten[found.number] = isSame }
        changes[key] = isSame ? nil : value()
    }
}

extension ItemTable: Sequence {
    /// The items that are as written, in the order of the file, then the others.
    func makeIterator() -> some IteratorProtocol<(key: ItemKey, value: Value)> {
        var (numbers, rest) = (isAsWritten.indices.makeIterator(), changes.makeIterator())
        return AnyIterator {
            while let number = numbers.next() {
                if isAsWritten[number], let item = written?.item(at: number) {
                    return (item.key, Value(item.plain))
                }
            }
            return rest.next().map { ($0.key, $0.value) }
        }
    }
}
