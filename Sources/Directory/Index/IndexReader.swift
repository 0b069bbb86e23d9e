import FileSystem
import Foundation
import JSONCodec

/// Makes items of the bytes of an index.
struct IndexReader<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    let options: DirectoryOptions
    /// The index, for messages.
    let url: @Sendable () -> URL

    init(options: DirectoryOptions, url: @autoclosure @escaping @Sendable () -> URL) {
        self.options = options
        self.url = url
    }

    /// The items in `contents`, none where there is no index.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex` if the bytes are not one JSON array, or
    ///   if there are none although files of items lie beside the index; `undecodable` if no
    ///   element is an item of this type, or one is not and damaged items are refused;
    ///   `journalDamaged` if the journal holds what cannot be done.
    func snapshot(of contents: IndexContents, in folder: Handle, _ store: IndexStore) throws
        -> Directory<Item>.Snapshot
    {
        guard let bytes = contents.bytes else { return .init() }
        if bytes.isEmpty {
            guard let file = try fileBeside(in: folder, store) else { return .init() }
            throw DirectoryError(
                .damagedIndex, "read", url(), "it is empty, although \(file) lies beside it")
        }
        do {
            if contents.commits.isEmpty { return try snapshot(of: pieces(of: bytes)) }
            var elements = IndexLines(
                try JSONScanner.elements(of: bytes).map { $0.line(of: bytes) })
            guard contents.commits.joined().allSatisfy({ elements.apply($0) }) else {
                throw journalIsOfAnother
            }
            return try snapshot(of: pieces(of: elements.lines))
        } catch let error as JSONScanner.SyntaxError {
            let line = bytes[..<error.offset].count { $0 == UInt8(ascii: "\n") } + 1
            throw DirectoryError(
                .damagedIndex, "read", url(), "\(error.reason), in line \(line)", underlying: error)
        }
    }

    private var journalIsOfAnother: DirectoryError {
        DirectoryError(
            .journalDamaged, "read", url(), "its journal changes elements that it does not have")
    }

    private func snapshot(of pieces: [Piece]) throws -> Directory<Item>.Snapshot {
        var slots: [Directory<Item>.Items.Slot] = []
        var failures: [Failure] = []
        slots.reserveCapacity(pieces.reduce(0) { $0 + $1.slots.count })
        for piece in pieces {
            for var failure in piece.failures {
                failure.position += slots.count
                failures.append(failure)
            }
            slots += piece.slots
        }
        let (items, duplicates) = Directory<Item>.Items.build(slots)
        let read = Directory<Item>.Snapshot(
            items: items, damaged: damaged(slots, duplicates, failures[...]))
        if let damaged = read.damaged.first, read.items.isEmpty || options.damagedItems == .refuse {
            throw DirectoryError(
                .undecodable, "read", url(),
                "\(read.damaged.count) of \(slots.count + failures.count) items are no \(Item.self): "
                    + damaged.reason)
        }
        return read
    }

    /// What cannot be decoded and what has the id of an earlier item, in order.
    private func damaged(
        _ slots: [Directory<Item>.Items.Slot], _ duplicates: Set<Int>,
        _ failures: ArraySlice<Failure>
    ) -> [Directory<Item>.Damaged] {
        guard !failures.isEmpty || !duplicates.isEmpty else { return [] }
        var failures = failures
        var damaged: [Directory<Item>.Damaged] = []
        var predecessor: Item.ID?
        for position in 0...slots.count {
            while let failure = failures.first, failure.position == position {
                failures.removeFirst()
                damaged.append(
                    .init(line: failure.line, reason: failure.reason, predecessor: predecessor))
            }
            guard position < slots.count else { break }
            let id = slots[position].item.id
            if duplicates.contains(position) {
                damaged.append(
                    .init(
                        line: slots[position].line ?? [], reason: "the id \(id) stands earlier",
                        predecessor: predecessor, isDuplicate: true))
            } else {
                predecessor = id
            }
        }
        return damaged
    }

    /// A file that shows that the index had items: a container's folder, or an asset.
    private func fileBeside(in folder: Handle, _ store: IndexStore) throws -> FileName? {
        let ownership = Ownership<Item>()
        if ownership.ownsFolders {
            for name in try store.fileSystem.list(folder) where !name.isHidden {
                if try store.fileSystem.status(of: name, in: folder)?.kind == .folder {
                    return name
                }
            }
        }
        if ownership.ownsFiles {
            for assets in store.assetFolderNames {
                guard let inner = try store.fileSystem.openFolderIfPresent(assets, in: folder)
                else { continue }
                if let name = try store.fileSystem.list(inner).first { return name }
            }
        }
        return nil
    }
}
