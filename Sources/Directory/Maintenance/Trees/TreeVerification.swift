import FileSystem
import Foundation

/// Verifies all indexes in a folder and below it, without the types of their items, without locks, and
/// without changing anything.
struct TreeVerification {
    private typealias Path = FolderWalk.Path

    private let store: TreeStore
    /// Throws if the caller has cancelled the verification.
    private let checkCancellation: () throws -> Void
    private var walk: FolderWalk
    /// The folders that were found, by their paths.
    private var kinds: [Path: TreeFolder.Kind] = [[]: .other]
    /// For each folder, how often a subfolder was missing right after it was listed.
    private var misses: [Path: Int] = [:]
    /// The results in each folder that has some.
    private var found: [Path: [Verification.Result]] = [:]
    /// The finding about each folder that no item is known to own, and that this user may not read.
    private var unreadable: [Path: Finding] = [:]

    init(of root: Handle, in store: TreeStore, checkCancellation: @escaping () throws -> Void) {
        self.store = store
        self.checkCancellation = checkCancellation
        walk = FolderWalk(root, on: store.fileSystem)
    }

    /// All findings, by path.
    ///
    /// A change under way can look like damage for a moment. So a finding counts only if a second look, after a
    /// pause, has it too.
    mutating func run() throws -> [Finding] {
        do {
            return try findings()
        } catch let busy as Busy {
            throw busy.error
        }
    }

    private mutating func findings() throws -> [Finding] {
        try lookAtAll()
        var findings = Set(unreadable.values)
        if found.isEmpty { return findings.sorted { $0.path < $1.path } }
        Thread.sleep(forTimeInterval: 0.1)
        walk.forgetLast()
        for (path, first) in found {
            try checkCancellation()
            let known = Set(first.map(\.comparisonKey))
            let second = try look(at: path)?.results ?? []
            findings.formUnion(second.filter { known.contains($0.comparisonKey) }.map(\.finding))
        }
        return findings.sorted {
            ($0.path, $0.kind.rawValue, $0.message) < ($1.path, $1.kind.rawValue, $1.message)
        }
    }

    /// Verifies each folder, and right after it its subfolders.
    private mutating func lookAtAll() throws {
        var paths: [Path] = [[]]
        while let path = paths.popLast() {
            try checkCancellation()
            guard let folder = try look(at: path) else {
                if unreadable[path] == nil, let parent = parentToLookAtAgain(of: path) {
                    paths.append(parent)
                }
                continue
            }
            found[path] = folder.results.isEmpty ? nil : folder.results
            for (name, kind) in folder.subfolders where kinds[path + [name]] == nil {
                kinds[path + [name]] = kind
                paths.append(path + [name])
            }
        }
    }

    /// The folder at `path`, as it is now; nil if it is missing.
    private mutating func look(at path: Path) throws -> TreeFolder? {
        // A file in it may be removed just when it is looked at. The folder may be removed as well.
        for _ in 0..<100 {
            guard let handle = try open(path) else { return nil }
            let folder = try store.fileSystem.unlessMissing {
                try TreeFolder(handle, kinds[path] ?? .other, in: store)
            }
            if let folder { return folder }
        }
        return nil
    }

    /// Opens the folder at `path`; nil if it is missing, or if this user may not read it and no item is known to own it.
    private mutating func open(_ path: Path) throws -> Handle? {
        do {
            return try walk.open(path)
        } catch let error as FileSystemError
            where error.isAccessRefusal && !path.isEmpty && kinds[path] == .other
        {
            unreadable[path] = Finding(
                .unknownFolder, walk.root.url.appending(path: path.text),
                "this user may not read the folder, so what is in it was not verified")
            return nil
        }
    }

    /// The parent of the folder at `path`, which was renamed or removed meanwhile; nil if that has happened too often.
    private mutating func parentToLookAtAgain(of path: Path) -> Path? {
        if path.isEmpty { return nil }
        let parent = Array(path.dropLast())
        kinds[path] = nil
        misses[parent, default: 0] += 1
        return misses[parent, default: 0] <= 10 ? parent : nil
    }
}

/// The file system and the options with which the indexes in a tree are opened.
struct TreeStore {
    let fileSystem: any FileSystem
    let options: DirectoryOptions

    func index(_ names: IndexNames, in folder: Handle) -> IndexFolder {
        let store = IndexStore(fileSystem: fileSystem, names: names, options: options)
        return IndexFolder(store: store, handle: folder)
    }
}
