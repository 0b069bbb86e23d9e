import FileSystem
import Foundation

/// Compares the items of an index with the files beside it, and changes neither.
struct Verification {
    let snapshot: Snapshot
    let reader: any ElementReader
    let folder: IndexFolder
    /// The transactions of this process, which may be cleaned up meanwhile.
    let live: Set<FileName>
    /// Whether the folder is that of an item, in which no other files belong.
    let isContainer: Bool
    /// Whether recovery came first, and left only transactions that it could not end.
    let isRecovered: Bool
    /// For each damaged line, whether it can be the item of another version of the app.
    private let mayBeItems: [Bool]
    /// Whether a file or folder that no item owns may be that of such a line, so that it stays in its place.
    private let mayBeOwned: Bool

    init(
        snapshot: Snapshot, reader: any ElementReader, folder: IndexFolder, live: Set<FileName>,
        isContainer: Bool, isRecovered: Bool = true
    ) {
        (self.snapshot, self.reader) = (snapshot, reader)
        (self.folder, self.live) = (folder, live)
        (self.isContainer, self.isRecovered) = (isContainer, isRecovered)
        mayBeItems = snapshot.mayBeItems
        mayBeOwned = mayBeItems.contains(true)
    }

    var fileSystem: any FileSystem { folder.fileSystem }

    /// A finding and its subject.
    struct Result {
        enum Subject {
            case line(DamagedLine)
            case item(ElementID)
            case orphan(FileName, in: FileName, FileStatus)
            case entry(FileName, in: FileName?)
            /// The part in a write to several collections.
            case joint(JointPart)
            /// Only a person can decide what to do.
            case undecided
        }
        let finding: Finding
        let subject: Subject

        /// Equal for two results that are one finding, seen twice.
        ///
        /// The message is no part of it, because a size in it can have changed.
        var comparisonKey: [String] {
            let kindAndPath = [finding.kind.rawValue, finding.path]
            // The next write to several collections has its part in the same journal, so its finding has this kind and
            // path as well.
            guard case .joint(let part) = subject else { return kindAndPath }
            return kindAndPath + [part.number]
        }
    }

    /// All findings.
    func results() throws -> [Result] {
        try damagedLines + unusableNames + missingAssets() + orphanAssets() + unknownFolders()
            + filesInPlaceOfFolders() + unknownFiles() + syncing() + leftovers()
    }

    func result(
        _ kind: Finding.Kind, _ url: URL, _ message: String, _ subject: Result.Subject
    ) -> Result {
        Result(finding: Finding(kind, url, message), subject: subject)
    }
}

extension Verification {
    var damagedLines: [Result] {
        zip(snapshot.damaged, mayBeItems).map { line, mayBeItem in
            result(
                line.duplicated != nil ? .duplicateID : .undecodableItem, folder.indexURL,
                "an element is not an item: \(line.reason)"
                    + (mayBeItem ? "; migrateDamagedItems can make it one" : ""),
                mayBeItem ? .undecided : .line(line))
        }
    }

    private var unusableNames: [Result] {
        guard reader.ownsNames else { return [] }
        let names = snapshot.names.value
        return snapshot.elements.compactMap { element in
            let (owned, file) = (element.folder, element.file)
            let hasFolder = owned.map { owned in
                owned.name.map { names.folders.owner(of: $0) == element.id } ?? false
            }
            // An item with an invalid file name has no file, which is another finding.
            let hasFile = file?.name.map { names.files.owner(of: $0) == element.id }
            guard hasFolder == false || hasFile == false else { return nil }
            let text = (owned ?? file)?.text ?? ""
            return result(
                .unusableName, folder.url,
                "item \(element.id.text) cannot have the name \"\(text)\"",
                .undecided)
        }
    }

    private func missingAssets() throws -> [Result] {
        guard reader.ownsFiles else { return [] }
        let present = try Set(assets().filter(\.isFile).map(\.name))
        return snapshot.elements.compactMap { element in
            let owned = element.file
            if let name = owned?.name, present.contains(name) { return nil }
            let url = folder.handle.url(of: folder.names.stem).appending(path: owned?.text ?? "")
            return result(
                .missingAsset, url, "the file of item \(element.id.text) is missing",
                .item(element.id))
        }
    }

    private func orphanAssets() throws -> [Result] {
        guard reader.ownsFiles else { return [] }
        let names = snapshot.names.value.files
        return try assets().compactMap { asset in
            guard asset.isFile else { return stray(asset) }
            guard !names.owns(asset.name) else { return nil }
            return result(
                .orphanAsset, url(of: asset), "no item owns the file",
                mayBeOwned ? .undecided : .orphan(asset.name, in: asset.folder, asset.status))
        }
    }

    /// The finding that `asset` cannot be the file of an item.
    func stray(_ asset: Asset) -> Result {
        result(
            .unknownFile, url(of: asset), "\(asset.kindInWords) is among the assets",
            // Another program may be writing a hidden file.
            asset.name.isHidden ? .undecided : .entry(asset.name, in: asset.folder))
    }

    private func url(of asset: Asset) -> URL {
        folder.handle.url(of: asset.folder).appending(path: asset.name.string)
    }

    /// An entry of one of the folders of the assets.
    struct Asset {
        let name: FileName
        let folder: FileName
        let status: FileStatus

        /// Whether it can be the file of an item.
        var isFile: Bool { status.kind == .file && !name.isHidden }

        var kindInWords: String {
            status.kind == .file ? "a hidden file" : status.kind.inWords
        }
    }

    /// The entries of the folders of the assets, without the files of Finder.
    func assets() throws -> [Asset] { try assets(in: folder.assetsFolders()) }

    /// The same, of `folders`.
    func assets(in folders: [(name: FileName, handle: Handle)]) throws -> [Asset] {
        try folders.flatMap { name, assets in
            try fileSystem.list(assets).filter { $0 != IndexNames.finder }
                .sorted { $0.string < $1.string }
                .compactMap { entry in
                    try fileSystem.status(of: entry, in: assets).map {
                        Asset(name: entry, folder: name, status: $0)
                    }
                }
        }
    }

    /// The folders beside the index that no item owns; none if another index is there, whose items may own them.
    private func unknownFolders() throws -> [Result] {
        guard reader.ownsFolders, try !folder.isShared else { return [] }
        let names = snapshot.names.value.folders
        return try entries(.folder).compactMap { name in
            // Items can own folders and files.
            if reader.ownsFiles, folder.names.assetsNames.contains(name) { return nil }
            guard !names.owns(name), try name != folder.names.recovered else { return nil }
            let isEmpty = try fileSystem.unlessRefused {
                try fileSystem.list(fileSystem.openFolder(name, in: folder.handle)).isEmpty
            }
            if try isEmpty == true || folder.isMarkedFolder(name) { return nil }
            let url = folder.handle.url(of: name)
            // The file system of a volume has a folder of its own, `lost+found`, at the top.
            guard isEmpty != nil else {
                return result(
                    .unknownFolder, url, "no item owns the folder, and this user may not read it",
                    .undecided)
            }
            return result(
                .unknownFolder, url, "no item owns the folder",
                mayBeOwned ? .undecided : .entry(name, in: nil))
        }
    }

    /// Entries that have the name of an item's folder, but are not folders.
    private func filesInPlaceOfFolders() throws -> [Result] {
        guard reader.ownsFolders else { return [] }
        let names = snapshot.names.value.folders
        return try others.filter(names.owns).map { name in
            let kind = try fileSystem.status(of: name, in: folder.handle)?.kind ?? .other
            return result(
                .unknownFile, folder.handle.url(of: name),
                "\(kind.inWords) is in place of the folder of an item", .entry(name, in: nil))
        }
    }

    /// Entries in the folder of an item that are neither indexes nor folders.
    ///
    /// If there are several indexes, only the first one reports them. In other folders, the app may have its own files.
    func unknownFiles() throws -> [Result] {
        let stem = folder.names.stem.folded
        guard isContainer, try folder.otherStems.allSatisfy({ stem < $0 }) else { return [] }
        let copies = try conflictCopies
        return try others.compactMap { name in
            if FileRole.index.matches(name) || copies.contains(name) { return nil }
            return result(
                .unknownFile, folder.handle.url(of: name), "no collection owns the file",
                .undecided)
        }
    }

    /// The visible entries of the folder that are no folders.
    private var others: [FileName] {
        get throws { try entries(.file) + entries(.symbolicLink) + entries(.other) }
    }

    /// The visible entries of the folder that are of this kind, by name.
    private func entries(_ kind: FileStatus.Kind) throws -> [FileName] {
        try fileSystem.list(folder.handle).filter {
            try !$0.isHidden && fileSystem.status(of: $0, in: folder.handle)?.kind == kind
        }.sorted { $0.string < $1.string }
    }
}

extension FileStatus.Kind {
    /// The kind for messages, with its article.
    var inWords: String {
        switch self {
        case .file: "a file"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .other: "something that is not a file"
        }
    }
}
