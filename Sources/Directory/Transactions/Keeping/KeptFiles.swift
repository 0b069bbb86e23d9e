import FileSystem

/// Where a folder or a file waits that a commit removed.
struct KeptPlace: Codable, Hashable, Sendable {
    /// The folders on the way from that of the index: in the trash, or among what was removed recently.
    var path: FolderPath
    var name: FileName
}

/// The folders and files that commits removed, which wait so that they can come back.
struct KeptFiles: Sendable {
    typealias Place = KeptPlace

    /// The folders, by the names that they get.
    var folders: [FileName: Place] = [:]
    /// The files, by the names that they get in the assets folder.
    var files: [FileName: Place] = [:]
}

extension KeptFiles {
    /// Those of `removal`, which is the record in the folder `name` of what was removed recently.
    init(_ removal: RemovalRecord, in name: FileName) {
        for item in removal.items { add(item, in: name) }
    }

    /// Adds those of `item`, a part of such a record.
    mutating func add(_ item: RemovalRecord.Item?, in name: FileName) {
        let path = [IndexNames.removed, name]
        if let owned = item?.folder { folders[owned.name] = Place(path: path, name: owned.slot) }
        if let owned = item?.file { files[owned.name] = Place(path: path, name: owned.slot) }
    }

    /// The files as imports of a commit that brings them back.
    var imports: [Intent.Import] {
        files.sorted { $0.key.string < $1.key.string }.map { name, place in
            Intent.Import(staged: place.name, asset: name, waiting: place.path)
        }
    }

    /// Where the folders wait, by the paths.
    var foldersByPath: [FolderPath: [Place]] {
        Dictionary(grouping: folders.values, by: \.path)
    }

    /// Where all of them wait, by the paths.
    var placesByPath: [FolderPath: [Place]] {
        Dictionary(grouping: Array(folders.values) + files.values, by: \.path)
    }
}

/// A folder of this process in the trash, with what one commit removed; each has a hidden random name there.
struct TrashFolder: Sendable {
    /// The folder of this process.
    var owner: FileName
    /// The folder in that folder.
    var name: FileName

    var path: FolderPath { [IndexNames.trash, owner, name] }
}
