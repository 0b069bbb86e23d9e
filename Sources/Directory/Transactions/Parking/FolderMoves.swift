import FileSystem

/// The folders that a change moves, and which of them are parked: all but those that are renamed to a name that no
/// other item had.
struct FolderMoves<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    private typealias OwnedFolder = (name: FileName, id: Item.ID)

    private var removed: [OwnedFolder] = []
    /// The folders that lose their names, by these, folded.
    private var left: [String: OwnedFolder] = [:]
    /// The folders that come back, come with collections, or are new and get the name of one that leaves it.
    private var arriving: [OwnedFolder] = []
    private var renames: [(folder: Intent.Rename, id: Item.ID)] = []

    /// The folders that are renamed; after ``park(from:to:_:)``, those of them that are not parked.
    var renamed: [Intent.Rename] { renames.map(\.folder) }

    /// The folder that leaves `name`, or a name that some volume treats as the same; nil if none does.
    func leaving(_ name: FileName) -> FileName? { left[name.folded]?.name }

    mutating func remove(_ name: FileName, of id: Item.ID) {
        removed.append((name, id))
        leave(name, of: id)
    }

    mutating func leave(_ name: FileName, of id: Item.ID) { left[name.folded] = (name, id) }

    mutating func rename(_ from: FileName, to: FileName, of id: Item.ID) {
        renames.append((.init(from: from, to: to), id))
    }

    mutating func arrive(_ name: FileName, of id: Item.ID) { arriving.append((name, id)) }
}

extension FolderMoves {
    /// Takes out and returns the folders that are parked; the items have `names` in `draft`.
    mutating func park(
        from base: Directory<Item>.Items, to draft: Directory<Item>.Items,
        _ names: NameTable<Item.ID>
    ) -> [Intent.Parked] {
        let shared = Set(
            left.filter { _, folder in
                names.owner(of: folder.name).map { $0 != folder.id } == true
            }.keys)
        let isShared = { (name: FileName) in shared.contains(name.folded) }
        let parkedRenames = renames.filter { isShared($0.folder.from) || isShared($0.folder.to) }
        renames.removeAll { isShared($0.folder.from) || isShared($0.folder.to) }
        return removed.compactMap { name, id in
            Intent.Parked(base.slot(of: id)?.line, from: name)
        }
            + parkedRenames.compactMap { folder, id in
                Intent.Parked(
                    draft.slot(of: id)?.line, before: base.slot(of: id)?.line, from: folder.from,
                    to: folder.to)
            }
            + arriving.compactMap { name, id in
                Intent.Parked(draft.slot(of: id)?.line, to: name)
            }
    }
}

extension Intent.Parked {
    fileprivate init?(
        _ item: ArraySlice<UInt8>?, before: ArraySlice<UInt8>? = nil, from: FileName? = nil,
        to: FileName? = nil
    ) {
        guard let item else { return nil }
        self.init(
            item: String(decoding: item, as: UTF8.self),
            before: before == item ? nil : before.map { String(decoding: $0, as: UTF8.self) },
            from: from, to: to)
    }
}
