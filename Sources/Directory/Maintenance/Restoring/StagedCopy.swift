import FileSystem
import Foundation

/// A verified copy in the folder of a transaction, which a collection restores or merges.
struct StagedCopy {
    /// The folder of the copy, in that of the transaction.
    let folder: IndexFolder
    let snapshot: Snapshot
    /// The files and folders of the copy that are no part of it.
    let unused: [Finding]
    /// The folders and files of the collection that are the same in the copy, with their states at the comparison.
    private var same: [String: State] = [:]
    /// The names, folded, of the folders of assets beside the index, which are never those of containers.
    private var stems: Set<String> = []

    /// The state of a folder or a file, by which later changes are noticed.
    private enum State: Hashable {
        case folder(FolderDigest)
        case file(FileState)
    }

    init(folder: IndexFolder, snapshot: Snapshot, unused: [Finding]) {
        (self.folder, self.snapshot, self.unused) = (folder, snapshot, unused)
    }

    private var fileSystem: any FileSystem { folder.fileSystem }
}

extension StagedCopy {
    typealias Entry = IndexFolder.Entry

    /// The folder and the file that the element names, as far as they exist in `index`.
    func entries(of element: any IndexElement, in index: IndexFolder) throws -> [Entry] {
        try index.entries(of: element, except: stems)
    }

    /// Finds the folders and files that the collection in `index`, with `elements`, has already; holds no lock.
    mutating func compare(with elements: Elements, in index: IndexFolder) throws {
        let names = snapshot.names.value
        stems = try index.allStems
        for element in elements where snapshot.elements.contains(element.id) {
            for entry in try entries(of: element, in: index)
            where names.owner(of: entry) == element.id {
                let state = try? index.store.options.retryingWhileBusy {
                    try self.state(of: entry, in: index)
                }
                // A folder or file that changes meanwhile does not count as the same.
                guard let state, try hasSame(entry, in: index) else { continue }
                same[key(entry)] = state
            }
        }
    }

    /// Whether the copy has the same folder or file, and the collection has not changed it since the comparison.
    func isSame(_ entry: Entry, in index: IndexFolder) throws -> Bool {
        guard let known = same[key(entry)] else { return false }
        return try state(of: entry, in: index) == known
    }

    private func state(of entry: Entry, in index: IndexFolder) throws -> State? {
        guard let assets = entry.assets else {
            return try fileSystem.openFolderIfPresent(entry.name, in: index.handle).map {
                .folder(try FolderDigest(of: $0, index.store))
            }
        }
        return try index.openFolder(assets).flatMap { assets in
            try fileSystem.status(of: entry.name, in: assets).map { .file(FileState($0)) }
        }
    }

    /// Replaces the elements of `draft`, of the collection in `index`, by those of the copy, with their folders and files.
    ///
    /// Folders and files that are the same stay where they are.
    func exchange(in draft: inout ElementDraft, of index: IndexFolder) throws {
        let (present, new) = (draft.elements, snapshot.elements)
        let (owned, newOwned) = (
            OwnedNames(of: present), snapshot.names.value
        )
        var staying: Set<String> = []
        for element in present {
            for entry in try entries(of: element, in: index)
            where owned.owner(of: entry) == element.id {
                if new.contains(element.id), newOwned.owner(of: entry) == element.id,
                    try isSame(entry, in: index)
                {
                    staying.insert(key(entry))
                } else {
                    try draft.files.replace(entry, of: index.names)
                }
            }
        }
        for element in new {
            for entry in try entries(of: element, in: folder)
            where newOwned.owner(of: entry) == element.id && !staying.contains(key(entry)) {
                place(entry, as: entry.name, in: &draft.files, of: index)
            }
        }
        draft.replaceAll(by: new)
    }

    /// Plans to move the folder or the file of the copy to its place in `index`.
    func place(
        _ entry: Entry, as name: FileName, in files: inout DraftFiles, of index: IndexFolder
    ) {
        files.place(
            entry.name,
            in: .init(staged: [DraftFiles.newFolder] + [entry.assets].compactMap(\.self)),
            as: name, in: entry.assets == nil ? nil : index.names.stem)
    }

    func key(_ entry: Entry) -> String {
        (entry.assets == nil ? "/" : "") + entry.name.folded
    }

    /// Whether the copy has the same folder or file as the collection, byte for byte.
    private func hasSame(_ entry: Entry, in index: IndexFolder) throws -> Bool {
        guard let assets = entry.assets else {
            guard let here = try fileSystem.openFolderIfPresent(entry.name, in: index.handle),
                let there = try fileSystem.openFolderIfPresent(entry.name, in: folder.handle)
            else { return false }
            return try FolderComparison(index.store).areSame(here, there)
        }
        guard let here = try index.openFolder(assets), let there = try folder.openFolder(assets)
        else { return false }
        return try FolderComparison(index.store).areSame(entry.name, here, there)
    }
}
