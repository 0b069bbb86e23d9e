import FileSystem

/// Ends a conflict between an index and its journal.
struct ConflictResolution<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// The index, which cannot be refreshed.
    let index: LockedIndex<Item>

    private var fileSystem: any FileSystem { index.fileSystem }
    private var folder: IndexFolder { index.folder }
}

extension ConflictResolution {
    /// Keeps one side, after both are safe in files aside; does nothing if there is no conflict.
    func run(keeping side: ConflictSide) throws {
        guard try isInConflict else { return }
        index.known.state = IndexState()
        try setBothAside()
        switch side {
        case .index: try index.lock.removeJournal()
        case .journal: try redoJournal()
        }
    }

    private var isInConflict: Bool {
        get throws {
            do {
                _ = try folder.read(index.lock)
                return false
            } catch let error as DirectoryError
                where [.indexConflict, .journalDamaged].contains(error.code)
            {
                return true
            }
        }
    }

    private func setBothAside() throws {
        let aside = try folder.openOrMake(folder.names.recovered)
        let transaction = RandomName.digits()
        for name in [folder.names.index, folder.names.journal] {
            guard let bytes = try fileSystem.readAll(name, in: folder.handle) else { continue }
            let visible = name.string.drop { $0 == "." }
            let copy = try fileSystem.openFile(
                FileName(validating: "\(transaction)-\(visible)"), in: aside,
                for: .create(mode: folder.options.filePermissions))
            try fileSystem.write(bytes, to: copy, at: 0)
            try fileSystem.sync(copy)
        }
        try fileSystem.sync(aside)
    }

    /// Makes the changes of the journal again, in the index as it is now, item by item.
    private func redoJournal() throws {
        guard let bytes = try fileSystem.readAll(folder.names.journal, in: folder.handle) else {
            return
        }
        let journal = try folder.parseJournal(bytes)
        let contents = IndexContents(
            bytes: try fileSystem.readAll(folder.names.index, in: folder.handle),
            state: IndexState())
        try folder.checkThatNothingIsMissing(in: contents, of: Item.self)
        var next = try IndexReader(index.coding).snapshot(of: contents)
        for operation in journal.records.flatMap(\.operations) {
            try redo(operation, in: &next.items)
        }
        index.known.state.journal = KnownJournal(tail: journal.tail, pending: 0)
        let change = Directory<Item>.Change(from: index.snapshot.items, to: next.items)
        try index.commit(next, change, moved: [], .durable)
    }

    /// Does what `operation` did to an item, wherever the item is now.
    private func redo(_ operation: LineOperation, in items: inout Directory<Item>.Items) throws {
        switch operation {
        case .insert(let line, let position), .replace(let line, let position):
            let slot = try index.coding.slot(from: line)
            if let known = items.index(of: slot.item.id) {
                items.replace(at: known, with: slot)
            } else {
                items.insert(slot, at: min(position, items.count))
            }
        case .remove(_, let checksum):
            let position = items.slots.enumerated().first { _, slot in
                CRC32.checksum(of: slot.line) == checksum
            }?.offset
            if let position { items.remove(at: position) }
        }
    }
}
