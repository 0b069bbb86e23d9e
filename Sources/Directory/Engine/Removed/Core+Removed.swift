import FileSystem
import Foundation

/// An element that was removed or replaced recently, as ``Directory/Directory/RemovedItem`` describes it.
struct RemovedElement {
    let element: any IndexElement
    let id: RemovedItemID
    let record: RemovalRecord
    let position: Int
    let isReplaced: Bool
    let byteCount: Int
    let url: URL?
}

extension Core {
    /// The elements that were removed recently, the newest first.
    func recentlyRemoved() throws -> [RemovedElement] {
        try load()
        return try describing("list what was removed from") {
            guard let folder = try openFolder(making: false) else { return [] }
            let now = RemovalRecord.now
            return try folder.allRemoved.filter { $0.record.until > now }
                .sorted { $0.isNewer(than: $1) }
                .flatMap(elements)
        }
    }

    private func elements(of removed: IndexFolder.Removed) throws -> [RemovedElement] {
        try removed.record.items.enumerated().compactMap { number, described in
            // A newer version of the app may be able to decode it.
            guard let described, let element = try? reader.element(on: described.bytes) else {
                return nil
            }
            let owned = described.folder ?? described.file
            let status = try owned.flatMap {
                try fileSystem.status(of: $0.slot, in: removed.folder)
            }
            let isGone =
                if owned != nil {
                    status == nil
                } else if described.isReplaced == true {
                    // Without the item, its folder or file would be missing.
                    snapshot.elements[element.id].map { $0.line == described.bytes }
                        ?? reader.ownsNames
                } else {
                    snapshot.elements.contains(element.id)
                }
            if isGone { return nil }
            var byteCount = status?.size ?? 0
            if let slot = described.folder?.slot {
                // Another process may be bringing it back.
                guard let size = try self.byteCount(of: slot, in: removed.folder) else {
                    return nil
                }
                byteCount = size
            }
            return RemovedElement(
                element: element, id: .init(folder: removed.name, number: number),
                record: removed.record, position: described.position,
                isReplaced: described.isReplaced == true, byteCount: byteCount,
                url: owned.map { removed.folder.url(of: $0.slot) })
        }
    }
}

extension Core {
    /// The size of all files in the folder `name`; 0 without access to it, and nil if it is missing.
    private func byteCount(of name: FileName, in parent: Handle) throws -> Int? {
        do {
            return try fileSystem.openFolderIfPresent(name, in: parent).map(fileSystem.byteCount)
        } catch let error as FileSystemError where error.isAccessRefusal {
            return 0
        }
    }
}

extension Core {
    /// Brings removed elements back, in one commit; `change` is called with each.
    func bringBack(
        _ ids: [RemovedItemID], _ change: (any IndexElement) throws -> any IndexElement
    ) throws -> [any IndexElement] {
        if ids.isEmpty { return [] }
        let operation = "bring back items of"
        // The record of an item goes right after the commit.
        let request = CommitRequest(durability: .durable, operation: operation)
        let now = RemovalRecord.now
        var used: [(FileName, Set<Int>)] = []
        var elements: [any IndexElement] = []
        try commit(request) { draft in
            used = []
            guard let folder = draft.write?.place?.index.folder else { return }
            let chosen = try Dictionary(grouping: ids, by: \.folder).map { name, ids in
                guard let removed = try folder.removed(name), removed.record.until > now else {
                    throw self.isGone(operation)
                }
                return (removed, Set(ids.map(\.number)))
            }
            var found: [(item: RemovalRecord.Item, folder: FileName)] = []
            // Each position is that right before the removal, so the newest removal comes back first.
            for (removed, numbers) in chosen.sorted(by: { $0.0.isNewer(than: $1.0) }) {
                for number in numbers.sorted() {
                    guard removed.record.items.indices.contains(number),
                        let item = removed.record.items[number],
                        try [item.folder, item.file].allSatisfy({ owned in
                            try owned.map {
                                try fileSystem.status(of: $0.slot, in: removed.folder) != nil
                            } != false
                        })
                    else { throw self.isGone(operation) }
                    found.append((item, removed.name))
                }
                used.append((removed.name, numbers))
            }
            elements = try draft.bringBack(found, change)
        }
        // Best effort: an item without its folder or file, or that is in the collection again, is not listed.
        try? drop(used, durably: false)
        return elements
    }

    /// Removes recently removed items for good.
    func removeForGood(_ ids: [RemovedItemID]) throws {
        let operation = "remove for good items of"
        try refuseInsideAnyWrite(operation)
        try describing(operation) {
            let removed = Dictionary(grouping: ids, by: \.folder)
            try drop(removed.map { ($0.key, Set($0.value.map(\.number))) }, durably: true)
        }
    }

    /// Removes the items with `numbers` from the records in the folders with these names, and their remaining files.
    private func drop(_ items: [(folder: FileName, numbers: Set<Int>)], durably: Bool) throws {
        if items.isEmpty { return }
        try withLock { index in
            for (name, numbers) in items {
                guard let removed = try index.folder.removed(name) else { continue }
                let numbers = numbers.filter(removed.record.items.indices.contains)
                try index.folder.drop(numbers, of: removed, durably: durably)
            }
        }
    }

    private func isGone(_ operation: String) -> DirectoryError {
        DirectoryError(
            .itemNotFound, operation, url,
            "a removed item is not kept any more; it was brought back, or removed for good",
            people: .init(
                operation: "bring back items of",
                reason: "they were brought back before, or removed for good"))
    }
}
