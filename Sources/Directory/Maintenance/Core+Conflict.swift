import FileSystem
import Foundation
import JSONCodec

extension Core {
    /// Ends a conflict between the index and its journal, after both are safe in files aside.
    func resolveConflict(keeping side: Directory<Item>.ConflictSide) throws {
        try refuseInsideWrite("resolve a conflict of")
        try DirectoryError.describing("resolve a conflict of", url) {
            guard let folder = try openFolder(making: false) else { return }
            try withWriter { writer in
                try store.withLock(in: folder) { lock in
                    guard try isInConflict(folder, lock) else { return }
                    writer.index = IndexState()
                    try setBothAside(folder)
                    switch side {
                    case .index:
                        try store.removeJournal(in: folder)
                    case .journal:
                        try redoJournal(in: folder, lock)
                    }
                }
            }
        }
        try load()
    }

    private func isInConflict(_ folder: Handle, _ lock: IndexLock) throws -> Bool {
        do {
            _ = try store.read(in: folder, lock)
            return false
        } catch let error as DirectoryError
            where [.indexConflict, .journalDamaged].contains(error.code)
        {
            return true
        }
    }

    private func setBothAside(_ folder: Handle) throws {
        let aside = try store.openOrMake(store.recoveredFolder, in: folder)
        let transaction = IndexNames.newTransaction()
        for name in [store.names.index, store.names.journal] {
            guard let bytes = try fileSystem.readAll(name, in: folder) else { continue }
            let visible = name.string.drop { $0 == "." }
            let copy = try fileSystem.openFile(
                FileName(validating: "\(transaction)-\(visible)"), in: aside,
                for: .create(mode: store.options.filePermissions))
            try fileSystem.write(bytes, to: copy, at: 0)
            try fileSystem.sync(copy)
        }
        try fileSystem.sync(aside)
    }

    /// Makes the changes of the journal again, in the index as it is now, item by item.
    private func redoJournal(in folder: Handle, _ lock: IndexLock) throws {
        guard let bytes = try fileSystem.readAll(store.names.journal, in: folder) else { return }
        let journal: Journal
        do {
            journal = try Journal(bytes)
        } catch {
            throw DirectoryError(
                .journalDamaged, "read", folder.url(of: store.names.journal),
                "what was written at byte \(error.offset) has changed", underlying: error)
        }
        let reader = IndexReader<Item>(options: store.options, url: self.url)
        let index = IndexContents(
            bytes: try fileSystem.readAll(store.names.index, in: folder), state: IndexState())
        var next = try reader.snapshot(of: index, in: folder, store)
        for operation in journal.records.flatMap(\.operations) {
            try reader.redo(operation, in: &next.items)
        }
        try next.items.encode(with: store.options, for: url)
        let open = OpenJournal(tail: journal.tail, pending: 0)
        try store.rewrite(next.lines, open, in: folder, lock, .durable)
    }
}

extension IndexReader {
    /// Does what `operation` did to an item, wherever the item stands now.
    fileprivate func redo(_ operation: LineOperation, in items: inout Directory<Item>.Items) throws
    {
        switch operation {
        case .insert(let line, let position), .replace(let line, let position):
            let item = try item(from: line)
            let slot = Directory<Item>.Items.Slot(item: item, line: line)
            if let known = items.index(of: item.id) {
                items.replace(at: known, with: slot)
            } else {
                items.insert(slot, at: min(position, items.count))
            }
        case .remove(_, let checksum):
            let position = items.slots.enumerated().first { _, slot in
                slot.line.map(CRC32.checksum(of:)) == checksum
            }?.offset
            if let position { items.remove(at: position) }
        }
    }

    /// The item that `line` encodes.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable`.
    func item(from line: ArraySlice<UInt8>) throws -> Item {
        do {
            return try LineDecoder.decode(Item.self, from: Array(line), with: options.decoder)
        } catch {
            throw DirectoryError(
                .undecodable, "read the journal of", url(), "an item is no \(Item.self): \(error)",
                underlying: error)
        }
    }
}
