/// An item as a collection of this device has it.
struct ShownItem: Hashable, Sendable {
    /// The line in the index.
    var line: ArraySlice<UInt8>
    var container: ItemKey?
    /// Where it is in the order.
    var position: Position?
    /// The bytes of its file, with the name that other devices know.
    var file: FileValue?
    /// The names that its line gives to its file and its folder.
    var fileName: String?
    var folderName: String?
    /// The folder name that other devices know, if another item has that here.
    var wantedFolderName: String?
    /// The segments whose changes the shown item has, if its newest version cannot be shown; nil if that is shown.
    ///
    /// It cannot be shown if its file is not here, or if this version of the app cannot decode its line.
    var seen: VersionVector?
}

extension ShownItem {
    /// The item as one segment wrote it.
    fileprivate init(_ plain: ItemState.Plain) {
        self.init(line: plain.line)
        (container, position) = (plain.container, plain.position)
        (file, fileName) = (plain.file, plain.file?.name)
    }
}

/// The items of one kind that are shown.
///
/// Most are as one segment wrote them: these take no memory beside that of the state.
struct ShownItems: Sendable {
    private enum Entry: WrittenValue {
        case asWritten(ItemState.Plain)
        indirect case otherwise(ShownItem)

        init(_ plain: ItemState.Plain) { self = .asWritten(plain) }

        var shown: ShownItem {
            switch self {
            case .asWritten(let plain): ShownItem(plain)
            case .otherwise(let shown): shown
            }
        }
    }

    private var entries = ItemTable<Entry>()

    init() {}

    /// Every living item of `states` that one segment wrote.
    init(asWrittenIn states: ItemTable<ItemState>) {
        entries = ItemTable(asIn: states) { $0.living.map(Entry.asWritten) }
    }

    /// No item of `states`.
    init(noneOf states: ItemTable<ItemState>) {
        entries = ItemTable(asIn: states) { _ in nil }
        entries.removeAll()
    }

    var isEmpty: Bool { !entries.contains { _ in true } }

    subscript(key: ItemKey) -> ShownItem? { entries[key]?.shown }

    /// The keys of all items that are not shown as one segment wrote them, and of some that are.
    func changedKeys(from states: ItemTable<ItemState>) -> Set<ItemKey> {
        states.changedKeys(since: entries)
    }

    /// Shows an item of which `state` is known; nil hides it.
    mutating func set(
        _ key: ItemKey, _ shown: ShownItem?, beside state: @autoclosure () -> ItemState?
    ) {
        func entry(_ shown: ShownItem) -> Entry {
            if let plain = state()?.living, ShownItem(plain) == shown { return .asWritten(plain) }
            return .otherwise(shown)
        }
        entries.set(key, shown.map(entry), asWrittenIf: { ShownItem($0) == shown })
    }
}

extension ShownItems: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: ItemKey, shown: ShownItem)> {
        entries.lazy.map { (key: $0.key, shown: $0.value.shown) }.makeIterator()
    }
}
