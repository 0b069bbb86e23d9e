import FileSystem
import Foundation

/// One folder of a tree, whose indexes are found by their names and read without the types of their items.
struct TreeFolder {
    /// The kind of a folder, as far as its parent shows it.
    enum Kind {
        /// The folder of an item.
        case container
        /// Perhaps the assets folder of an index, whose files can have any name.
        case perhapsAssets
        case other
    }

    let handle: Handle
    let kind: Kind
    private let store: TreeStore
    private var fileSystem: any FileSystem { store.fileSystem }

    private(set) var results: [Verification.Result] = []
    /// The folders in it that may have indexes, by name.
    private(set) var subfolders: [FileName: Kind] = [:]

    /// Lists the folder and verifies its indexes.
    ///
    /// - Throws: `FileSystemError`, also if the folder is removed meanwhile; ``DirectoryError``, such as `locked`.
    init(_ handle: Handle, _ kind: Kind, in store: TreeStore) throws {
        (self.handle, self.kind, self.store) = (handle, kind, store)
        let entries = try fileSystem.list(handle)
        for name in entries where !name.isHidden && !NameRules.isRecovered(name) {
            guard try fileSystem.status(of: name, in: handle)?.kind == .folder else { continue }
            subfolders[name] = kind == .perhapsAssets ? .perhapsAssets : .other
        }
        let known = try knownIndexes(among: entries)
        // Without transaction folders and journals, no transaction is live.
        let hasTransactions = entries.contains {
            [IndexNames.staging, IndexNames.trash].contains($0) || FileRole.journal.matches($0)
        }
        let live = hasTransactions ? Registry.shared.liveTransactions : []
        for names in try indexes(among: entries, known) {
            try verify(names, isKnown: known.contains(names), live)
        }
        try findCopies(among: entries)
    }
}

extension TreeFolder {
    /// The indexes that have a lock file, a journal or a transaction: these can only be the library's.
    private func knownIndexes(among entries: [FileName]) throws -> Set<IndexNames> {
        var known: Set<IndexNames> = []
        for name in ConflictCopies.removed(from: entries) {
            if let stem = FileRole.lock.stem(of: name), let names = indexNames(stem) {
                if try LockFile.isWritten(name, in: handle, on: fileSystem) { known.insert(names) }
            } else if let stem = FileRole.journal.stem(of: name), let names = indexNames(stem) {
                // Without an index beside it, the file may be anything.
                if entries.contains(names.index) { known.insert(names) }
            } else if [IndexNames.staging, IndexNames.trash].contains(name),
                try fileSystem.status(of: name, in: handle)?.kind == .folder,
                let inner = try fileSystem.openFolderIfPresent(name, in: handle)
            {
                let found = try fileSystem.unlessMissing { try fileSystem.list(inner) } ?? []
                known.formUnion(found.compactMap { IndexNames(ofTransaction: $0, in: handle.url) })
            }
        }
        return known
    }

    /// The known indexes, and the files that may be indexes, in the order of their names.
    private func indexes(among entries: [FileName], _ known: Set<IndexNames>) throws -> [IndexNames]
    {
        var found = known
        if kind != .perhapsAssets {
            let stems = ConflictCopies.removed(from: entries).compactMap(FileRole.index.stem)
            found.formUnion(stems.compactMap(indexNames))
        }
        return found.sorted { $0.index.string < $1.index.string }
    }

    /// The names of the index with `stem`; nil if no index can have it.
    private func indexNames(_ stem: FileName) -> IndexNames? {
        IndexNames(stem: stem, in: handle.url)
    }
}

extension TreeFolder {
    private mutating func verify(_ names: IndexNames, isKnown: Bool, _ live: Set<FileName>) throws {
        let index = store.index(names, in: handle)
        var elements = UntypedElements()
        do {
            guard let found = try isKnown ? index.untypedElements() : index.elementsIfIndex() else {
                return
            }
            elements = found
        } catch let error as DirectoryError where error.code.isDamage {
            // The kinds of damage have the names of the codes.
            add(
                .init(rawValue: error.code.rawValue), error.url,
                "the collection cannot be read: \(error.reason)")
        }
        let ownFiles = elements.ownFiles || names.stem == "photos"
        results += try Verification(
            elements, in: index, live: live, isContainer: kind == .container
        ).untypedResults(ownFiles: ownFiles)
        for name in subfolders.keys where elements.folderNames.contains(name.string) {
            subfolders[name] = .container
        }
        for name in index.names.assetsNames where subfolders[name] != nil {
            subfolders[name] = ownFiles ? nil : .perhapsAssets
        }
    }

    /// Adds the hidden folders of unfinished copies whose processes may have ended.
    private mutating func findCopies(among entries: [FileName]) throws {
        for name in entries where CopyDestination.isHidden(name) {
            guard let found = try fileSystem.status(of: name, in: handle), found.kind == .folder,
                StageOwner.State.unknown.isOver(lastChange: found.modificationDate),
                let copy = try fileSystem.openFolderIfPresent(name, in: handle)
            else { continue }
            add(
                .leftoverFile, handle.url(of: name),
                "a copy that was not finished, \(try fileSystem.byteCount(below: copy)) "
                    + "bytes, of a process that may have ended")
        }
    }

    private mutating func add(_ kind: Finding.Kind, _ url: URL, _ message: String) {
        let finding = Finding(kind, url, message)
        results.append(Verification.Result(finding: finding, subject: .undecided))
    }
}
