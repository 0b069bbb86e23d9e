import FileSystem
import Foundation
import Synchronization

extension Core {
    /// A finding and what it is about.
    struct Exhibit {
        enum Subject {
            case line(Directory<Item>.Damaged)
            case item(Item.ID)
            case orphan(FileName, in: FileName, FileStatus)
            case entry(FileName, in: FileName?)
            /// Nothing that a repair could decide.
            case question
        }
        let finding: Finding
        let subject: Subject
    }

    /// What is wrong on disk; under the lock where the volume can be written to, so that no
    /// change is under way.
    func examine() throws -> [Exhibit] {
        try load()
        return try DirectoryError.describing("verify", url) {
            guard let folder = try openFolder(making: false) else { return [] }
            do {
                return try withLock(in: folder) { _, _ in (try examine(folder), .init()) }
            } catch let error as FileSystemError
                where [.readOnly, .accessDenied, .notPermitted].contains(error.code)
            {
                return try examine(folder)
            }
        }
    }

    private func examine(_ folder: Handle) throws -> [Exhibit] {
        try damagedLines + unusableNames(folder) + missingAssets(folder) + orphanAssets(folder)
            + unknownFolders(folder)
            + leftoverTransactions(folder)
    }

    private var damagedLines: [Exhibit] {
        snapshot.damaged.map { damaged in
            exhibit(
                damaged.isDuplicate ? .duplicateID : .undecodableItem, url,
                "an element is no item: \(damaged.reason)", .line(damaged))
        }
    }

    private func unusableNames(_ folder: Handle) -> [Exhibit] {
        let ownership = Ownership<Item>()
        func isUsable(_ text: String?, _ names: NameTable<Item.ID>, _ id: Item.ID) -> Bool {
            guard let text, let name = NameRules.visible(text) else { return text == nil }
            return names.owner(of: name) == id
        }
        return snapshot.items.compactMap { item in
            let (folderName, fileName) = (
                ownership.folderName(of: item), ownership.fileName(of: item)
            )
            let names = snapshot.names.value
            guard
                !isUsable(folderName, names.folders, item.id)
                    // An item whose file name is none lacks its file, which is reported as such.
                    || !isUsable(fileName.flatMap(NameRules.visible)?.string, names.files, item.id)
            else { return nil }
            return exhibit(
                .unusableName, folder.url,
                "item \(item.id) cannot have the name \"\(folderName ?? fileName ?? "")\"",
                .question)
        }
    }

    private func missingAssets(_ folder: Handle) throws -> [Exhibit] {
        let ownership = Ownership<Item>()
        guard ownership.ownsFiles else { return [] }
        let present = try Set(assets(in: folder).map(\.name))
        return snapshot.items.compactMap { item in
            let text = ownership.fileName(of: item) ?? ""
            if let name = FileName(text), present.contains(name) { return nil }
            let url = folder.url(of: store.names.stem).appending(path: text)
            return exhibit(
                .missingAsset, url, "the file of item \(item.id) is missing", .item(item.id))
        }
    }

    private func orphanAssets(_ folder: Handle) throws -> [Exhibit] {
        guard Ownership<Item>().ownsFiles else { return [] }
        let names = snapshot.names.value.files
        return try assets(in: folder).filter { !names.owns($0.name) }.map { asset in
            let url = folder.url(of: asset.folder).appending(path: asset.name.string)
            return exhibit(
                .orphanAsset, url, "no item owns the file",
                .orphan(asset.name, in: asset.folder, asset.status))
        }
    }

    /// The visible files in the assets folders.
    private func assets(in folder: Handle) throws
        -> [(name: FileName, folder: FileName, status: FileStatus)]
    {
        var seen: Set<FileIdentity> = []
        return try store.assetFolderNames.flatMap { assets in
            guard let inner = try fileSystem.openFolderIfPresent(assets, in: folder),
                try seen.insert(fileSystem.status(of: inner).identity).inserted
            else { return [(name: FileName, folder: FileName, status: FileStatus)]() }
            return try fileSystem.list(inner).filter { !$0.isHidden }
                .sorted { $0.string < $1.string }
                .compactMap { name in
                    guard let status = try fileSystem.status(of: name, in: inner) else {
                        return nil
                    }
                    return status.kind == .file ? (name, assets, status) : nil
                }
        }
    }

    private func unknownFolders(_ folder: Handle) throws -> [Exhibit] {
        guard Ownership<Item>().ownsFolders else { return [] }
        let entries = try fileSystem.list(folder).filter { !$0.isHidden }
        let isShared = entries.contains {
            $0 != store.names.index && $0.string.hasSuffix(".json")
        }
        guard !isShared else { return [] }
        let names = snapshot.names.value.folders
        return try entries.sorted { $0.string < $1.string }.compactMap { name in
            guard !names.owns(name), try name != store.recoveredFolder,
                try fileSystem.status(of: name, in: folder)?.kind == .folder,
                try !fileSystem.list(fileSystem.openFolder(name, in: folder)).isEmpty
            else { return nil }
            return exhibit(
                .unknownFolder, folder.url(of: name), "no item owns the folder",
                .entry(name, in: nil))
        }
    }

    private func leftoverTransactions(_ folder: Handle) throws -> [Exhibit] {
        guard let staging = try fileSystem.openFolderIfPresent(IndexNames.staging, in: folder),
            let names = try fileSystem.unlessMissing({ try fileSystem.list(staging) })
        else { return [] }
        return try names.filter(store.names.isTransactionFolder)
            .compactMap { name in
                guard try store.intent(of: name, in: folder)?.transfer != nil else { return nil }
                return exhibit(
                    .leftoverTransaction, staging.url(of: name),
                    "a transfer cannot find the other collection",
                    .entry(name, in: IndexNames.staging))
            }
    }

    private func exhibit(
        _ kind: Finding.Kind, _ url: URL, _ message: String, _ subject: Exhibit.Subject
    ) -> Exhibit {
        let path = url.path(percentEncoded: false)
        return Exhibit(
            finding: Finding(kind: kind, path: path, message: message), subject: subject)
    }
}

extension IndexStore {
    /// The visible folder that repairs set things aside in.
    var recoveredFolder: FileName {
        get throws { try FileName(validating: "\(names.stem).recovered") }
    }
}
