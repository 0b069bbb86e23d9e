import FileSystem

/// The place of a kept folder or file that a commit removed.
struct KeptPlace: Codable, Hashable, Sendable {
    /// The path from the folder of the index to the folder that it is in: in the trash or in `.removed`.
    var path: FolderPath
    var name: FileName
}

/// The moves that bring back kept folders and files.
extension [Move] {
    /// Those of `removal`, the record of the folder `name` in `.removed`, to the assets folder `assets`.
    init(_ removal: RemovalRecord, in name: FileName, to assets: FileName) {
        self = []
        for item in removal.items { bringBack(item, in: name, to: assets) }
    }

    /// Adds the folder and the file of `item`, a part of the record of the folder `name` in `.removed`.
    mutating func bringBack(
        _ item: RemovalRecord.Item?, in name: FileName, to assets: FileName
    ) {
        let source = Move.Folder(kept: [IndexNames.removed, name])
        if let owned = item?.folder { add(owned.slot, in: source, to: owned.name, in: .init()) }
        if let owned = item?.file {
            add(owned.slot, in: source, to: owned.name, in: .init(assets: assets))
        }
    }

    /// The moves of files to the assets folder.
    var ofFiles: [Move] { filter { $0.to.assets != nil } }
    /// The moves of containers' folders to their places.
    var ofContainers: [Move] { filter(\.to.hasContainers) }
}
