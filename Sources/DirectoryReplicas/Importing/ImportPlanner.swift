import Directory
import FileSystem
import JSONCodec

/// Plans an import: decides about items, gives them names, and orders the collections.
struct ImportPlanner {
    let base: Base
    let state: MergeState
    let kinds: [String: Binding]
    let kindsFromTop: [String]
    /// The segments that the collections show, for items that stay as they are.
    let shown: VersionVector
    /// Whether the bytes of a file are in the shared folder.
    let isHere: (FileValue) throws -> Bool
    /// Puts the bytes of the file that an item has here into the shared folder again.
    let bringBack: (ItemReference, ShownItem) throws -> Void
    /// The names that no container of a collection can get, beside those of its items.
    let takenNames: (CollectionReference, [String]) throws -> Set<String>
    /// The names of all files in the assets folder of a collection.
    let namesOfAssets: (CollectionReference) throws -> Set<FileName>
    /// Whether a try failed because something that no item owns has the name of an item.
    var avoidsTakenNames = false
    /// Items that stay where they are, because their files, or others in them, cannot be read here.
    var staying: Set<ItemReference> = []
    /// The collections that cannot be read now: what is in them stays as it is.
    var unreadable: Set<CollectionReference> = []
    /// The items whose files are missing here.
    var withoutFile: Set<ItemReference> = []
    /// The items of later commits of the same import.
    var later: Set<ItemReference> = []

    var plan = ImportPlan()
    var verdicts: [ItemReference: Verdict] = [:]
    /// Containers that are made by this import, so that everything in them is added.
    private(set) var made: Set<ItemReference> = []
    /// Items of the base that are not shown any longer, or are at another place.
    private(set) var gone: Set<ItemReference> = []
    /// Whether collections that were looked at are out of reach.
    private var outOfReach: [CollectionReference: Bool] = [:]

    init(
        _ local: LocalState, _ kinds: [String: Binding], _ kindsFromTop: [String],
        isHere: @escaping (FileValue) throws -> Bool,
        bringBack: @escaping (ItemReference, ShownItem) throws -> Void,
        takenNames: @escaping (CollectionReference, [String]) throws -> Set<String>,
        namesOfAssets: @escaping (CollectionReference) throws -> Set<FileName>
    ) {
        (base, state, shown) = (local.base, local.state, local.shown)
        (self.kinds, self.kindsFromTop) = (kinds, kindsFromTop)
        (self.isHere, self.bringBack) = (isHere, bringBack)
        (self.takenNames, self.namesOfAssets) = (takenNames, namesOfAssets)
    }
}

extension ImportPlanner {
    /// Plans the changes of `items`, and of the containers and the items that depend on them.
    mutating func run(for items: Set<ItemReference>) throws {
        var due: [String: Set<ItemKey>] = [:]
        func add(_ item: ItemReference) {
            guard due[item.kind, default: []].insert(item.key).inserted else { return }
            collections(of: item, state[item]).compactMap(\.owner).forEach(add)
        }
        verdicts.reserveCapacity(items.count)
        items.forEach(add)
        for kind in kindsFromTop {
            if let parent = Kind.parent(of: kind) {
                for container in made where container.kind == parent {
                    for inner in state.contents[container] ?? [] where inner.kind == kind {
                        due[kind, default: []].insert(inner.key)
                    }
                }
            }
            for key in due[kind] ?? [] { try decide(ItemReference(kind, key)) }
            try fitNames(kind)
        }
        try planCollections()
    }

    /// The collections that an item is in, here and in the state.
    private func collections(of item: ItemReference, _ known: ItemState?) -> [CollectionReference] {
        let (here, there) = (base[item], known?.container(state.rules)?.value)
        let wanted = CollectionReference(item.kind, in: there)
        guard let here, here.container != there else { return [wanted] }
        return [.init(item.kind, in: here.container), wanted]
    }

    /// Whether an item, or a collection that it is in, cannot be reached before something can be read again.
    private mutating func isOutOfReach(_ item: ItemReference, _ known: ItemState?) -> Bool {
        if unreadable.isEmpty, base.damaged.isEmpty { return false }
        return isDamaged(item) || collections(of: item, known).contains { isOutOfReach($0) }
    }

    private mutating func isOutOfReach(_ collection: CollectionReference) -> Bool {
        if let known = outOfReach[collection] { return known }
        let owner = collection.owner
        let isOut =
            unreadable.contains(collection) || owner.map { isOutOfReach($0, state[$0]) } == true
        outOfReach[collection] = isOut
        return isOut
    }

    private mutating func decide(_ item: ItemReference) throws {
        guard let binding = kinds[item.kind], verdicts[item] == nil else { return }
        let old = base[item]
        var verdict = try verdict(on: item, old, binding)
        if staying.contains(item), verdict.removes(old) { verdict = .keep(pending: nil) }
        verdicts[item] = verdict
        switch verdict {
        case .show(let wanted):
            if wanted.isAdded {
                if old != nil { gone.insert(item) }
                if binding.ownsFolders { made.insert(item) }
            }
            let lacksFile = binding.ownsFiles && wanted.file == nil
            if wanted.seen != nil || lacksFile || wanted.pending != nil {
                plan.unsettled.insert(item)
            }
            note(wanted.pending, item)
        case .keep(let pending):
            plan.unsettled.insert(item)
            note(pending, item)
        case .hide(let pending):
            if old != nil { hide(item) }
            let isLost = old != nil && old?.file == nil && binding.ownsFiles
            if pending != nil || isLost { plan.unsettled.insert(item) }
            note(pending, item)
        case .unreadable:
            if old != nil { hide(item) }
            noteUnreadable(item)
        }
    }

    /// Notes an item that this version of the app cannot read, which the next sync tries again.
    mutating func noteUnreadable(_ item: ItemReference) {
        plan.unsettled.insert(item)
        plan.notes.unreadable.append(item)
    }

    private mutating func note(_ pending: FileValue?, _ item: ItemReference) {
        guard let pending else { return }
        plan.notes.pending.append(.init(item: item, file: pending))
    }

    private mutating func hide(_ item: ItemReference) {
        gone.insert(item)
        gone.formUnion(base.contents(of: item, kindsFromTop))
    }

    /// Whether the line of an item of the base is damaged.
    ///
    /// The line of an item whose container was removed here is gone, not damaged.
    private func isDamaged(_ item: ItemReference) -> Bool {
        guard let old = base[item] else { return false }
        let collection = CollectionReference(item.kind, in: old.container)
        if let owner = collection.owner, base[owner] == nil { return false }
        return base.damaged[collection]?.contains(item.key) == true
    }

    /// Whether a container is shown after the import.
    private func isShown(_ item: ItemReference) -> Bool {
        switch verdicts[item] {
        case .show: true
        case .hide, .unreadable: false
        case .keep, nil: base[item] != nil && !gone.contains(item)
        }
    }

    private mutating func verdict(
        on item: ItemReference, _ old: ShownItem?, _ binding: Binding
    ) throws -> Verdict {
        let known = state[item]
        if isOutOfReach(item, known) { return .keep(pending: nil) }
        guard base.held[item] == nil, let known, known.isAlive || state.isAlive(item),
            let found = known.container(state.rules),
            let position = known.position(state.rules)?.value
        else { return .hide(pending: nil) }
        let container = found.value
        if let kind = Kind.parent(of: item.kind) {
            guard let container, isShown(ItemReference(kind, container)) else {
                return .hide(pending: nil)
            }
        }
        let isMade =
            Kind.parent(of: item.kind).flatMap { kind in
                container.map { made.contains(ItemReference(kind, $0)) }
            } ?? false
        let isAdded = old == nil || old?.container != container || isMade
        let place = ItemPlace(container: container, position: position, isAdded: isAdded)
        let bytes = LineComposer(known, state.rules, old).line
        guard let line = binding.decode(bytes, as: item.key) else {
            noteUnreadable(item)
            return try olderVersion(of: item, at: place, binding) ?? .unreadable
        }
        var wanted = Wanted(place, line, folderName: line.folderName)
        guard binding.ownsFiles else { return .show(wanted) }
        guard let file = known.file(state.rules) else {
            // Its file was missing when it was published, so only the device that has the item shows it. Nobody can
            // add it to a collection.
            return isAdded ? .hide(pending: nil) : .show(wanted)
        }
        wanted.file = file
        if !isAdded, old?.file == file {
            if withoutFile.contains(item) {
                wanted.needsFile = try isHere(file)
                if !wanted.needsFile { wanted.pending = file }
            }
            return .show(wanted)
        }
        if !isAdded, let old, old.file == nil,
            !known.hasFile(notIn: old.seen ?? shown, state.rules)
        {
            // The file that replaces this one here is missing, and is told to others when it is there again.
            wanted.file = nil
            return .show(wanted)
        }
        guard try isHere(file, of: item) else {
            return try olderVersion(of: item, at: place, binding, pending: file)
                ?? .hide(pending: file)
        }
        wanted.needsFile = true
        return .show(wanted)
    }
}

extension ImportPlanner {
    /// Shows an item whose newest version cannot be shown as it is here, also at another place; nil if that cannot be
    /// shown either.
    ///
    /// `file` is what it waits for, if that is missing.
    private mutating func olderVersion(
        of item: ItemReference, at place: ItemPlace, _ binding: Binding,
        pending file: FileValue? = nil
    ) throws -> Verdict? {
        guard let old = base[item] else { return nil }
        if !place.isAdded { return .keep(pending: file) }
        guard var line = binding.decode(old.line, as: item.key) else { return nil }
        if let name = line.folderName, let wanted = old.wantedFolderName {
            let renamed = binding.renamed(
                line, of: item.key, from: name, to: wanted, \.folderName)
            guard let renamed else { return nil }
            line = renamed
        }
        var wanted = Wanted(place, line, folderName: line.folderName)
        (wanted.seen, wanted.pending) = (old.seen ?? shown, file)
        if binding.ownsFiles {
            guard let file = old.file, try isHere(file, of: item) else { return nil }
            (wanted.file, wanted.needsFile) = (file, true)
        }
        return .show(wanted)
    }

    /// Whether the bytes of a file are in the shared folder, after those that the item has here were brought there.
    mutating func isHere(_ file: FileValue, of item: ItemReference) throws -> Bool {
        if try isHere(file) { return true }
        guard let old = base[item], old.file?.hash == file.hash else { return false }
        do {
            try bringBack(item, old)
        } catch let unread as UnreadAsset {
            // These may be the only bytes, so the item stays where it is.
            if !staying.contains(item) { throw UnreadableItems(staying: [item]) }
            plan.notes.unreadAssets[item] = unread
        }
        return try isHere(file)
    }
}

/// Makes the line of an item of its registers.
struct LineComposer {
    private let item: ItemState
    private let rules: MergeRules
    private let shown: ShownItem?

    init(_ item: ItemState, _ rules: MergeRules, _ shown: ShownItem?) {
        (self.item, self.rules, self.shown) = (item, rules, shown)
    }

    /// The line: members in the order of the shown line, then those that the shown line does not have.
    var line: ArraySlice<UInt8> {
        if case .plain(let plain) = item.form, shown == nil { return plain.line }
        var values: [String: ArraySlice<UInt8>] = [:]
        for (name, register) in item.registers.members {
            values[name] = register.winner(rules)?.value
        }
        let old = shown.flatMap { try? JSONMembers.all(of: $0.line) } ?? []
        var writer = LineWriter()
        writer.object { object in
            for member in old {
                if let value = values.removeValue(forKey: member.name) {
                    object.member(member.name, json: value)
                }
            }
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                object.member(name, json: value)
            }
        }
        return writer.bytes[...]
    }
}
