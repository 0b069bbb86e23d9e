import FileSystem
import Foundation

/// The collections, of any type, that have a folder as their assets folder.
struct AssetOwners {
    /// The elements of their indexes; nil if an index cannot be read.
    private let lines: [[UInt8]]?

    /// Finds the indexes beside `folder` that have it as their assets folder.
    ///
    /// A sandbox can hide the folder above; then none are found.
    init(of folder: Handle, on fileSystem: any FileSystem) throws {
        let identity = try fileSystem.status(of: folder).identity
        guard let parent = try? fileSystem.openParent(of: folder),
            let names = try? fileSystem.list(parent)
        else {
            lines = []
            return
        }
        var found: [[UInt8]]? = []
        for stem in names.compactMap(FileRole.index.stem) {
            guard let index = IndexNames(stem: stem, in: parent.url) else { continue }
            let isOwner = index.assetsNames.contains {
                (try? fileSystem.status(of: $0, in: parent))?.identity == identity
            }
            guard isOwner else { continue }
            let store = IndexStore(fileSystem: fileSystem, names: index, options: .init())
            let lines = try? IndexFolder(store: store, handle: parent).untypedLines
            found = lines.flatMap { lines in found.map { $0 + lines } }
        }
        lines = found
    }

    /// Whether an element has a member with the value `name`, or with that value without its extension.
    ///
    /// Assets have such a member: `fileName`, or the id that the name is made of. True also if that is unknown.
    func mayOwn(_ name: FileName) -> Bool {
        guard let lines else { return true }
        let stem = name.string.prefix { $0 != "." }
        return lines.contains { line in
            let element = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            return element?.values.contains { value in
                let text = (value as? String) ?? (value as? NSNumber).map { "\($0)" }
                return text == name.string || text.map { $0 == stem } == true
            } == true
        }
    }

    /// Whether `name` in `folder` is an index that a collection has used, or one of its hidden files.
    static func isOfIndex(_ name: FileName, in folder: Handle, on fileSystem: any FileSystem) throws
        -> Bool
    {
        if name.isHidden {
            return FileRole.lock.matches(name) || FileRole.journal.matches(name)
        }
        guard let stem = FileRole.index.stem(of: name),
            let names = IndexNames(stem: stem, in: folder.url)
        else { return false }
        return try fileSystem.status(of: names.lock, in: folder) != nil
    }
}
