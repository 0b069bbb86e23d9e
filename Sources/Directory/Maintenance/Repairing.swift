import FileSystem
import Foundation

/// Repairs a locked index: sets aside the lines and files that a verification finds, and deletes nothing.
struct Repairing {
    let index: LockedIndex
    /// The transactions of this process.
    let live: Set<FileName>
    /// Whether the folder is that of an item.
    let isContainer: Bool
    /// Throws if the folder was moved or removed.
    let checkThatFolderIsInPlace: () throws -> Void

    private var fileSystem: any FileSystem { index.fileSystem }
    private var folder: IndexFolder { index.folder }
}

extension Repairing {
    typealias Adopt = (OrphanAsset) throws -> (any IndexElement)?
    typealias Committer = (ElementDraft) throws -> Void

    /// Repairs the findings of a verification, and returns the repairs.
    ///
    /// `adopt` returns an element that owns an orphan, or nil to set the orphan aside; `commit`
    /// commits a draft to the index.
    func run(adopting adopt: Adopt, commit: Committer) throws -> [Repair] {
        let results = try Verification(
            snapshot: index.snapshot, reader: index.reader, folder: folder, live: live,
            isContainer: isContainer
        ).results()
        guard !results.isEmpty else { return [] }
        // A container that was removed meanwhile is being deleted file by file.
        try checkThatFolderIsInPlace()
        // A file that seems to be an asset may be in the folder of another index's item.
        if index.snapshot.elements.isEmpty { try folder.checkThatStemIsFree() }
        let asideName = try folder.names.recovered
        let aside = try folder.openOrMake(asideName)
        defer {
            folder.removeIfEmpty(asideName)
            folder.removeIfEmpty(IndexNames.staging)
        }
        var names = index.snapshot.names.value.files
        var repairs: [Repair] = []
        var adopted: [any IndexElement] = []
        for result in results {
            if let element = try adoptOrphan(result.subject, &names, adopt) {
                adopted.append(element)
                repairs.append(
                    Repair(finding: result.finding, action: "the file got an item"))
            } else if try setAside(result.subject, in: aside) {
                repairs.append(
                    Repair(finding: result.finding, action: "it was set aside into \(aside.path)"))
            }
        }
        return try repairs + setLinesAside(results, adopted, in: aside, commit)
    }

    private func adoptOrphan(
        _ subject: Verification.Result.Subject, _ names: inout NameTable, _ adopt: Adopt
    ) throws -> (any IndexElement)? {
        guard case .orphan(let name, let parent, let status) = subject,
            // Of two file names that are the same when folded, only one gets an item.
            names.owner(of: name) == nil,
            let element = try adopt(
                OrphanAsset(
                    url: folder.handle.url(of: parent).appending(path: name.string),
                    fileName: name.string, byteCount: status.size, date: status.modificationDate))
        else { return nil }
        _ = names.give(name, to: element.id)
        return element
    }

    /// Moves a file or folder into `aside`; returns false if the subject is neither.
    private func setAside(_ subject: Verification.Result.Subject, in aside: Handle) throws
        -> Bool
    {
        let source: Handle
        let name: FileName
        switch subject {
        case .orphan(let file, let assets, _):
            (source, name) = (try fileSystem.openFolder(assets, in: folder.handle), file)
        case .entry(let entry, let container):
            source =
                try container.map { try fileSystem.openFolder($0, in: folder.handle) }
                ?? folder.handle
            name = entry
        case .joint(let part):
            try setAside(part, in: aside)
            return true
        case .line, .item, .undecided: return false
        }
        try move(name, in: source, as: name, into: aside)
        return true
    }

    /// Ends `part`; what it would have brought to the index is set aside: the lines, if it is not committed, and the files
    /// and folders.
    private func setAside(_ part: JointPart, in aside: Handle) throws {
        let lines = part.isCommitted ? [] : part.operations.compactMap(\.line)
        if !lines.isEmpty { try write(lines, to: IndexNames.newFileOfLines(), in: aside) }
        let transaction = try folder.names.transactionFolder(part.number)
        if let own = try folder.openFolder(transaction, in: IndexNames.staging) {
            try setUnownedAside(of: transaction, part, own, in: aside)
        }
        try index.endPart(.durable)
    }

    /// Moves imported files and parked folders of a transaction that no item owns into `aside`, and whatever else is in
    /// its folder.
    ///
    /// Recovery would remove them, and moves the other files in the transaction's folder to where the index says.
    private func setUnownedAside(
        of transaction: FileName, _ part: JointPart, _ own: Handle, in aside: Handle
    ) throws {
        let intent = try folder.intent(of: transaction)
        if let intent { try setUnownedAside(intent, own, in: aside) }
        var known: Set = [Intent.fileName]
        known.formUnion(intent?.imports.flatMap(\.names) ?? [])
        known.formUnion(try intent?.parked.map(\.slot) ?? [])
        if case .home(let list) = part.role {
            // The files that a restoring took away; the files that it brings are still in the copy.
            for move in list.moves ?? [] where move.to.staged == [] {
                for (name, slot) in move.pairs {
                    try returnOrSetAside(slot, in: own, as: name, move.from.assets, aside)
                }
            }
            known.insert(DraftFiles.newFolder)
        }
        for name in try fileSystem.list(own)
        where !known.contains(name) && !StageOwner.isOwner(name) {
            try move(name, in: own, as: name, into: aside)
        }
    }

    /// Moves `slot` to the place of `name` if an item owns it and the place is free, else into `aside`.
    private func returnOrSetAside(
        _ slot: FileName, in own: Handle, as name: FileName, _ assets: FileName?, _ aside: Handle
    ) throws {
        guard try fileSystem.status(of: slot, in: own) != nil else { return }
        let names = index.snapshot.names.value
        let isOwned = assets == nil ? names.folders.owns(name) : names.files.owns(name)
        let place = try isOwned ? assets.map { try folder.openOrMake($0) } ?? folder.handle : nil
        guard let place, try fileSystem.status(of: name, in: place) == nil else {
            return try move(slot, in: own, as: name, into: aside)
        }
        try fileSystem.move(slot, in: own, to: name, in: place)
        try fileSystem.sync(place)
        try fileSystem.sync(own)
    }

    private func setUnownedAside(_ intent: Intent, _ own: Handle, in aside: Handle) throws {
        let names = index.snapshot.names.value
        // Files that have moved already are orphans, with findings of their own.
        for (name, asset) in intent.imports.flatMap(\.pairs)
        where try fileSystem.status(of: name, in: own) != nil {
            try move(name, in: own, as: asset, into: aside)
        }
        for (slot, parked) in try intent.parked
        where try fileSystem.status(of: slot, in: own) != nil {
            let known = [parked.to, parked.from].compactMap(\.self)
            guard let name = known.first, !known.contains(where: names.folders.owns) else {
                continue
            }
            try move(slot, in: own, as: name, into: aside)
        }
    }

    /// Moves a file or folder into `aside`, or into a new folder there if something has its name.
    private func move(
        _ name: FileName, in source: Handle, as newName: FileName, into aside: Handle
    ) throws {
        let isTaken = try fileSystem.status(of: newName, in: aside) != nil
        let target =
            isTaken
            ? try makeFolder(FileName(validating: RandomName.digits()), in: aside) : aside
        try fileSystem.move(name, in: source, to: newName, in: target)
        try fileSystem.sync(target)
        try fileSystem.sync(source)
    }

    private func makeFolder(_ name: FileName, in parent: Handle) throws -> Handle {
        let made = try folder.openOrMakeFolder(name, in: parent)
        try fileSystem.sync(parent)
        return made
    }
}

extension Repairing {
    /// Writes damaged lines, and the lines of items without their file, to a file in `aside`; then removes them from
    /// the index, and adds the items that own orphans now.
    private func setLinesAside(
        _ results: [Verification.Result], _ adopted: [any IndexElement], in aside: Handle,
        _ commit: Committer
    ) throws -> [Repair] {
        var lines: [ArraySlice<UInt8>] = []
        var ids: [ElementID] = []
        var repairs: [Repair] = []
        let name = try IndexNames.newFileOfLines()
        for result in results {
            switch result.subject {
            case .line(let damaged): lines.append(damaged.line)
            case .item(let id):
                guard let element = index.snapshot.elements[id] else { continue }
                ids.append(id)
                lines.append(element.line)
            case .orphan, .entry, .joint, .undecided: continue
            }
            repairs.append(
                Repair(
                    finding: result.finding,
                    action: "its JSON was set aside into \(aside.path(of: name))"))
        }
        guard !lines.isEmpty || !adopted.isEmpty else { return [] }
        var draft = index.draft
        draft.damaged = zip(draft.damaged, index.snapshot.mayBeItems).compactMap { $1 ? $0 : nil }
        draft.remove(ids)
        if adopted.isEmpty { try draft.checkThatItCanBeOpened() }
        if !lines.isEmpty { try write(lines, to: name, in: aside) }
        // The folder of an item without its file stays where it is until no item owns it.
        draft.files.leaving.formUnion(ids)
        let owners = index.snapshot.names.value.folders
        let folders = ids.compactMap { index.snapshot.elements[$0] }.compactMap { element in
            element.folder?.name.flatMap { owners.owner(of: $0) == element.id ? $0 : nil }
        }
        try draft.append(adopted)
        try commit(draft)
        for name in folders where try fileSystem.status(of: name, in: folder.handle) != nil {
            try move(name, in: folder.handle, as: name, into: aside)
        }
        return repairs
    }

    private func write(_ lines: [ArraySlice<UInt8>], to name: FileName, in aside: Handle) throws {
        let file = try folder.makeFile(name, in: aside)
        var writer = IndexWriter(fileSystem: fileSystem, file: file)
        for line in lines { try writer.append(line) }
        _ = try writer.finish()
        try fileSystem.sync(file)
        try fileSystem.sync(aside)
    }
}
