import FileSystem
import Foundation

extension Core {
    /// Puts right what ``examine()`` finds.
    func repair(
        _ durability: DirectoryOptions.Durability, _ adopt: (OrphanAsset) throws -> Item?
    ) throws -> [Repair] {
        let exhibits = try examine()
        guard !exhibits.isEmpty else { return [] }
        return try DirectoryError.describing("repair", url) {
            guard let folder = try openFolder(making: false) else { return [] }
            let asideName = try store.recoveredFolder
            let aside = try store.openOrMake(asideName, in: folder)
            defer {
                store.removeIfEmpty(asideName, in: folder)
                store.removeIfEmpty(IndexNames.staging, in: folder)
            }
            var names = snapshot.names.value.files
            var repairs: [Repair] = []
            var adopted: [Item] = []
            for exhibit in exhibits {
                if case .orphan(let name, let parent, let status) = exhibit.subject,
                    // Of two files whose names some volume takes for the same, one has an item.
                    names.owner(of: name) == nil,
                    let item = try adopt(
                        OrphanAsset(
                            url: folder.url(of: parent).appending(path: name.string),
                            fileName: name.string, byteCount: status.size,
                            date: status.modificationDate))
                {
                    _ = names.give(name, to: item.id)
                    adopted.append(item)
                    repairs.append(
                        Repair(finding: exhibit.finding, action: "the file has an item again"))
                } else if try setAside(exhibit.subject, in: folder, to: aside) {
                    repairs.append(
                        Repair(
                            finding: exhibit.finding, action: "it was set aside into \(aside.path)")
                    )
                }
            }
            repairs += try setLinesAside(exhibits, adopted, to: aside, durability)
            return repairs
        }
    }

    /// Moves a file or folder away, unless the subject is one of the index.
    private func setAside(_ subject: Exhibit.Subject, in folder: Handle, to aside: Handle) throws
        -> Bool
    {
        let (name, parent): (FileName, FileName?)
        switch subject {
        case .orphan(let file, let assets, _): (name, parent) = (file, assets)
        case .entry(let entry, let container): (name, parent) = (entry, container)
        case .line, .item, .question: return false
        }
        let source = try parent.map { try fileSystem.openFolder($0, in: folder) } ?? folder
        let isTaken = try fileSystem.status(of: name, in: aside) != nil
        let target =
            isTaken
            ? try store.openOrMake(FileName(validating: IndexNames.newTransaction()), in: aside)
            : aside
        try fileSystem.rename(name, in: source, to: name, in: target, replacing: false)
        try fileSystem.sync(target)
        try fileSystem.sync(source)
        return true
    }

    /// Takes elements that are no items, and items without a file, out of the index, after their
    /// JSON is safe in a file of its own; and adds the items that orphans were adopted by.
    private func setLinesAside(
        _ exhibits: [Exhibit], _ adopted: [Item], to aside: Handle,
        _ durability: DirectoryOptions.Durability
    ) throws -> [Repair] {
        var current = snapshot
        try current.items.encode(with: store.options, for: url)
        var lines: [ArraySlice<UInt8>] = []
        var ids: [Item.ID] = []
        var repairs: [Repair] = []
        let name = try FileName(validating: "items-\(IndexNames.newTransaction()).json")
        for exhibit in exhibits {
            switch exhibit.subject {
            case .line(let damaged): lines.append(damaged.line)
            case .item(let id):
                ids.append(id)
                lines.append(current.items.slot(of: id)?.line ?? [])
            case .orphan, .entry, .question: continue
            }
            repairs.append(
                Repair(
                    finding: exhibit.finding,
                    action: "its JSON was set aside into \(aside.path(of: name))"))
        }
        guard !lines.isEmpty || !adopted.isEmpty else { return [] }
        if !lines.isEmpty {
            let file = try fileSystem.openFile(
                name, in: aside, for: .create(mode: store.options.filePermissions))
            var writer = IndexWriter(fileSystem: fileSystem, file: file)
            for line in lines { try writer.append(line) }
            _ = try writer.finish()
            try fileSystem.sync(file)
            try fileSystem.sync(aside)
        }
        let removed = Set(lines)
        try commit(CommitRequest(durability: durability, operation: "repair")) { draft in
            draft.damaged.removeAll { removed.contains($0.line) }
            for id in ids where draft[id: id] != nil { try draft.remove(id: id) }
            try draft.append(contentsOf: adopted)
        }
        return repairs
    }
}
