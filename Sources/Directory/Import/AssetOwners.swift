import FileSystem
import Foundation

/// The collections, of any type, whose assets are in a folder.
struct AssetOwners {
    /// The elements of their indexes; nil if one of these cannot be read.
    private let lines: [[UInt8]]?

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
        var found: [[UInt8]]? = []
        for name in names where IndexNames.isIndex(name) {
            guard let index = try? IndexNames(name.string, in: parent.url) else { continue }
            let store = IndexStore(fileSystem: fileSystem, names: index, options: .init())
            let isOwner = store.assetFolders.contains {
                (try? fileSystem.status(of: $0, in: parent))?.identity == identity
            }
            guard isOwner else { continue }
            let lines = IndexFolder(store: store, handle: parent).untypedLines
            found = lines.flatMap { lines in found.map { $0 + lines } }
        }
        lines = found
    }

    /// Whether an element has a member with the value `name`, as an asset has for its file; true also if that
    /// cannot be known.
    func mayOwn(_ name: FileName) -> Bool {
        guard let lines else { return true }
        return lines.contains { line in
            let element = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            return element?.values.contains { ($0 as? String) == name.string } == true
        }
    }
}
