import FileSystem

/// The place of a kept folder or file that a commit removed.
struct KeptPlace: Codable, Hashable, Sendable {
    /// The path from the folder of the index to the folder that it is in: in the trash or in `.removed`.
    var path: FolderPath
    var name: FileName
}

/// The folders and files that commits removed, kept so that they can be brought back.
struct KeptFiles: Sendable {
    typealias Place = KeptPlace

    /// The folders, by the names that they get.
    var folders: [FileName: Place] = [:]
    /// The files, by the names that they get in the assets folder.
    var files: [FileName: Place] = [:]
}

extension KeptFiles {
    /// The folders and files of `removal`, the record of the folder `name` in `.removed`.
    init(_ removal: RemovalRecord, in name: FileName) {
        for item in removal.items { add(item, in: name) }
    }

    /// Adds the folder and the file of `item`, a part of the record of the folder `name` in `.removed`.
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

    /// The places of the folders, by path.
    var foldersByPath: [FolderPath: [Place]] {
        Dictionary(grouping: folders.values, by: \.path)
    }

    /// The places of all folders and files, by path.
    var placesByPath: [FolderPath: [Place]] {
        Dictionary(grouping: Array(folders.values) + files.values, by: \.path)
    }
}

/// A folder in the trash with the files that one commit removed; each file has a hidden random name there.
struct TrashFolder: Sendable {
    /// The folder of this process.
    var owner: FileName
    /// The folder in that folder.
    var name: FileName

    var path: FolderPath { [IndexNames.trash, owner, name] }
}
