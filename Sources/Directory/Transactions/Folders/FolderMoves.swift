import FileSystem

/// The folders that a change moves.
struct FolderMoves {
    private typealias OwnedFolder = (name: FileName, id: ElementID)

    private var removed: [OwnedFolder] = []
    /// The folders that lose their names; the keys are these names, folded.
    private var left: [String: OwnedFolder] = [:]
    /// Folders that are brought back, come with collections, or are new and take the name of another folder.
    private var arriving: [OwnedFolder] = []
    private var renamed: [(from: FileName, to: FileName, id: ElementID)] = []

    /// The folder that gives up `name`, compared folded; nil if no folder does.
    func leaving(_ name: FileName) -> FileName? { left[name.folded]?.name }

    mutating func remove(_ name: FileName, of id: ElementID) {
        removed.append((name, id))
        leave(name, of: id)
    }

    mutating func leave(_ name: FileName, of id: ElementID) { left[name.folded] = (name, id) }

    mutating func rename(_ from: FileName, to: FileName, of id: ElementID) {
        renamed.append((from, to, id))
    }

    mutating func arrive(_ name: FileName, of id: ElementID) { arriving.append((name, id)) }
}

extension FolderMoves {
    /// The folders as an intent lists them; `names` says which element of `draft` owns which name.
    ///
    /// Every folder is parked, except a renamed one whose names no other item has before or after the change.
    func listed(
        from base: Elements, to draft: Elements, _ names: NameTable
    ) -> [Intent.Folder] {
        if removed.isEmpty, renamed.isEmpty, arriving.isEmpty { return [] }
        let shared = Set(
            left.filter { _, folder in
                names.owner(of: folder.name).map { $0 != folder.id } == true
            }.keys)
        return removed.compactMap { name, id in
            Intent.Folder(base[id]?.line, from: name)
        }
            + renamed.compactMap { from, to, id in
                Intent.Folder(
                    draft[id]?.line, before: base[id]?.line, from: from, to: to,
                    // If only the case changes, a volume that ignores case reports the new name as taken.
                    isParked: from.folded == to.folded || shared.contains(from.folded)
                        || shared.contains(to.folded))
            }
            + arriving.compactMap { name, id in
                Intent.Folder(draft[id]?.line, to: name)
            }
    }
}

extension Intent.Folder {
    fileprivate init?(
        _ item: ArraySlice<UInt8>?, before: ArraySlice<UInt8>? = nil, from: FileName? = nil,
        to: FileName? = nil, isParked: Bool = true
    ) {
        guard let item else { return nil }
        self.init(
            item: String(decoding: item, as: UTF8.self),
            before: before == item ? nil : before.map { String(decoding: $0, as: UTF8.self) },
            from: from, to: to, isParked: isParked)
    }
}
