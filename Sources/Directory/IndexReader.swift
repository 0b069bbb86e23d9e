import FileSystem
import Foundation

/// Makes items of the bytes of an index.
struct IndexReader<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    let options: DirectoryOptions
    /// The index, for messages.
    let url: URL

    /// The items in `bytes`, none where there is no index.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex` if the bytes are not one JSON array, or
    ///   if there are none although files of items lie beside the index; `undecodable` if no
    ///   element is an item of this type, or one is not and damaged items are refused.
    func snapshot(of bytes: [UInt8]?, in folder: Handle, _ store: IndexStore) throws
        -> Directory<Item>.Snapshot
    {
        guard let bytes else { return .init() }
        if bytes.isEmpty {
            guard let file = try fileBeside(in: folder, store) else { return .init() }
            throw DirectoryError(
                .damagedIndex, "read", url, "it is empty, although \(file) lies beside it")
        }
        let ranges: [Range<Int>]
        do {
            ranges = try JSONScanner.elements(of: bytes)
        } catch let error as JSONScanner.SyntaxError {
            let line = bytes[..<error.offset].count { $0 == UInt8(ascii: "\n") } + 1
            throw DirectoryError(
                .damagedIndex, "read", url, "\(error.reason), in line \(line)", underlying: error)
        }
        return try snapshot(of: ranges.map { bytes[$0] })
    }

    private func snapshot(of lines: [ArraySlice<UInt8>]) throws -> Directory<Item>.Snapshot {
        var slots: [Directory<Item>.Items.Slot] = []
        var failures: [Failure] = []
        slots.reserveCapacity(lines.count)
        for original in lines {
            let isOneLine = !original.contains(UInt8(ascii: "\n"))
            let line = isOneLine ? original : original.withoutSpaceBetweenTokens()[...]
            do {
                slots.append(.init(item: try item(from: line), line: line))
            } catch {
                let reason = (error as? DecodingError)?.summary ?? "\(error)"
                failures.append(.init(position: slots.count, line: line, reason: reason))
            }
        }
        let (items, duplicates) = Directory<Item>.Items.build(slots)
        let read = Directory<Item>.Snapshot(
            items: items, damaged: damaged(slots, duplicates, failures[...]))
        if let damaged = read.damaged.first, read.items.isEmpty || options.damagedItems == .refuse {
            throw DirectoryError(
                .undecodable, "read", url,
                "\(read.damaged.count) of \(lines.count) items are no \(Item.self): "
                    + damaged.reason)
        }
        return read
    }

    /// An element that cannot be decoded, and the number of those before it that can.
    private struct Failure {
        var position: Int
        var line: ArraySlice<UInt8>
        var reason: String
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

    /// The item that `line` encodes.
    func item(from line: ArraySlice<UInt8>) throws -> Item {
        try options.decoder.decode(Item.self, from: Data(line))
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

extension DecodingError {
    /// The path to what could not be decoded, and why.
    var summary: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .keyNotFound(_, let context), .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        guard let context else { return "\(self)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
