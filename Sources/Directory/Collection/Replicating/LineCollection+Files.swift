package import FileSystem
package import Foundation

/// The version of an index when it was read, to find out at a low cost whether it has changed since.
package struct CollectionMark: Sendable {
    let mark: IndexMark
    let assets: AssetsMark?
}

/// The times of the assets folders of a collection, which change when a file in them comes or goes.
package struct AssetsMark: Equatable, Sendable {
    let changed: [FileTime?]
}

extension IndexFolder {
    /// The times of the assets folders; nil for those that are not there.
    var assetsMark: AssetsMark {
        get throws {
            AssetsMark(
                changed: try names.assetsNames.map {
                    try fileSystem.status(of: $0, in: handle)?.changed
                })
        }
    }
}

extension LineCollection {
    /// The folder of the collection, opened; nil if it does not exist and is not to be made.
    package func openFolder(making: Bool) throws -> Handle? {
        try core.describing("open") { try core.openFolder(making: making)?.handle }
    }

    /// Whether the index was removed or emptied: neither it nor its journal has bytes.
    ///
    /// A container that was never written to, or was restored from a copy in which this collection was empty, has not
    /// even a lock file for it.
    package var lacksIndex: Bool {
        get throws {
            try core.describing("look at") {
                guard let folder = try core.openFolder(making: false) else { return true }
                func size(_ name: FileName) throws -> Int? {
                    try disk.status(of: name, in: folder.handle)?.size
                }
                let hasBytes = try [folder.names.index, folder.names.journal].contains {
                    try size($0) ?? 0 > 0
                }
                if hasBytes { return false }
                return try !core.location.value.isContainer || size(folder.names.lock) != nil
            }
        }
    }

    /// The version of the index when it was last read, with that of the assets folders; nil if the files may have changed
    /// since.
    package func mark(_ assets: AssetsMark?) -> CollectionMark? {
        let state = core.known.state
        return state.version.map {
            CollectionMark(
                mark: IndexMark(version: $0, journalEnd: state.journal?.tail.end), assets: assets)
        }
    }

    /// The times of the assets folders now; nil if items own no files.
    package var assetsMark: AssetsMark? {
        get throws {
            guard core.reader.ownsFiles else { return nil }
            return try core.describing("look at") {
                try core.openFolder(making: false)?.assetsMark
            }
        }
    }

    /// Whether the collection `child`, in a folder below that of this collection, is unchanged since it had `mark`.
    ///
    /// `path` has the names of the folders of the containers that lead to it. A collection that cannot be read counts
    /// as changed.
    package func isUnchanged(_ child: String, at path: [String], since mark: CollectionMark)
        -> Bool
    {
        do {
            guard var handle = try core.openFolder(making: false)?.handle else { return false }
            for name in path {
                handle = try disk.openFolder(FileName(validating: name), in: handle)
            }
            let names = try IndexNames(stem: child, in: handle.url)
            let folder = IndexFolder(store: core.store.ofUnknownType(names), handle: handle)
            if let assets = mark.assets, try folder.assetsMark != assets { return false }
            return try folder.isUnchanged(since: mark.mark)
        } catch {
            return false
        }
    }

    /// The file that an item calls `name`, opened; nil if it is missing.
    package func openAsset(_ name: String) throws -> ImportSource? {
        try core.describing("open a file of") {
            guard let name = FileName(name),
                let folder = try core.openFolder(making: false),
                let found = try folder.findAsset(name)
            else { return nil }
            return try disk.unlessMissing {
                try ImportSource(name, in: found.folder, on: disk)
            }
        }
    }

    /// The names, folded, that no container of this collection can get, although no item has them: `names` are those
    /// of the items.
    package func takenNames(beside names: some Sequence<String>) throws -> Set<String> {
        try core.describing("find a free name in") {
            let own = Set(names.compactMap { FileName($0)?.folded })
            let found = try core.openFolder(making: false)?.takenNames ?? []
            return found.subtracting(own)
                .union([core.store.names.stem.folded, core.store.names.index.folded])
        }
    }

    /// The names of the files in the assets folders, whoever they belong to.
    package var namesOfAssets: Set<FileName> {
        get throws {
            try core.describing("look at the files of") {
                guard let folder = try core.openFolder(making: false) else { return [] }
                return Set(try folder.assetsFolders().flatMap { try disk.list($0.handle) })
            }
        }
    }

    /// Makes a stage on the volume of the collection.
    ///
    /// - Throws: ``DirectoryError`` with `containerRemoved`, `accessDenied`, `noSpace`, `readOnly` or `ioFailure`.
    package func makeStage() throws -> Stage { try core.makeStage() }
}

/// Where a folder that a person chose is: on the disk, or in a volume in memory.
package func fileSystem(at folder: URL) -> any FileSystem { Place(of: folder).fileSystem }

extension Stage {
    /// Stages a copy of `source`, which shares its bytes if both are on one volume of the disk.
    ///
    /// `check` is called with the staged copy, before an item can get it.
    package func add(
        _ source: ImportSource, name: String, check: (Handle) throws -> Void
    ) throws -> StagedAsset {
        let isLocal = fileSystem is LocalFileSystem && source.fileSystem is LocalFileSystem
        let mode = collection.options.filePermissions
        return try add(1) { files in
            try fileSystem.makeFile(files[0], in: folder) {
                let copy = try source.copy(
                    as: files[0], in: folder, mode: mode, on: isLocal ? nil : fileSystem,
                    prepare: { try collection.protect($0, mode: mode) }, step: { _ in })
                try check(copy)
                return copy
            }
            return [
                StagedAsset(
                    in: folder, files[0], name: name, byteCount: source.status.size,
                    date: source.status.modificationDate, head: try source.prefix(16))
            ]
        }[0]
    }
}
