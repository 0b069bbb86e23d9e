import Directory

/// The changes that an import makes to the collections of this device.
struct ImportPlan {
    /// The collections that change.
    var collections: [CollectionReference: CollectionPlan] = [:]
    /// The change of the base that belongs to them.
    var change = BaseChange()
    /// The items whose files come from the shared folder.
    var transfers: [Transfer] = []
    var notes = SyncNotes()
    /// The items that have to be looked at again when more has arrived.
    var unsettled: Set<ItemReference> = []

    struct Transfer {
        var item: ItemReference
        var collection: CollectionReference
        var file: FileValue
        /// The name that the file gets here.
        var name: String
    }

    var isEmpty: Bool { collections.values.allSatisfy(\.isEmpty) }

    /// How many items are added, changed, moved or removed.
    var itemCount: Int { Set(change.items.map(\.item)).count }
}

/// Where an item is to be shown.
struct ItemPlace {
    var container: ItemKey?
    var position: Position
    /// Whether it is added to its collection: it is new, or comes from elsewhere.
    var isAdded: Bool
}

/// An item as it is to be shown.
struct Wanted {
    var place: ItemPlace
    var line: IndexLine
    /// The folder name that other devices know.
    var folderName: String?
    var file: FileValue?
    /// Whether its file comes from the shared folder.
    var needsFile = false
    /// The segments whose changes it has, if its newest version cannot be shown.
    var seen: VersionVector?
    /// The file of the newest version, if only that is missing.
    var pending: FileValue?

    init(_ place: ItemPlace, _ line: IndexLine, folderName: String?) {
        (self.place, self.line, self.folderName) = (place, line, folderName)
    }

    var container: ItemKey? { place.container }
    var position: Position { place.position }
    var isAdded: Bool { place.isAdded }
}

/// The decision of an import about an item.
enum Verdict {
    case show(Wanted)
    /// It stays as it is here, because its newest version cannot be shown yet.
    case keep(pending: FileValue?)
    /// It is not shown; `pending` if only its file is missing.
    case hide(pending: FileValue?)
    /// It is not shown, because this version of the app cannot read it.
    case unreadable

    /// Whether an item that is shown now leaves its place, or gets another file.
    func removes(_ old: ShownItem?) -> Bool {
        switch self {
        case .show(let wanted): old != nil && (wanted.isAdded || wanted.needsFile)
        case .keep: false
        case .hide, .unreadable: old != nil
        }
    }
}
