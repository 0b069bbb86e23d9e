import FileSystem
import Foundation

/// The collections, of any type, whose assets are in a folder.
struct AssetOwners {
    /// The elements of their indexes.
    private let lines: [[UInt8]]

    /// Finds them beside `folder`: each index there that has this folder for its assets.
    ///
    /// A sandbox can hide the folder around it; then there are none.
    init(of folder: Handle, on fileSystem: any FileSystem) throws {
        let identity = try fileSystem.status(of: folder).identity
        guard let parent = try? fileSystem.openParent(of: folder),
            let names = try? fileSystem.list(parent)
        else {
            lines = []
            return
        }
        lines = names.filter(IndexNames.isIndex).flatMap { name -> [[UInt8]] in
            guard let index = try? IndexNames(name.string, in: parent.url) else { return [] }
            let store = IndexStore(fileSystem: fileSystem, names: index, options: .init())
            let isOwner = store.assetFolders.contains {
                (try? fileSystem.status(of: $0, in: parent))?.identity == identity
            }
            return isOwner ? IndexFolder(store: store, handle: parent).untypedLines ?? [] : []
        }
    }

    /// Whether an element has a member with the value `name`, as an asset has for its file.
    func mayOwn(_ name: FileName) -> Bool {
        lines.contains { line in
            let element = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            return element?.values.contains { ($0 as? String) == name.string } == true
        }
    }
}
