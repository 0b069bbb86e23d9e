import FileSystem

extension IndexFolder {
    /// Checks that an empty index file did not lose its items.
    ///
    /// - Throws: ``DirectoryError`` with `damagedIndex` if files that only items can own are
    ///   beside it.
    func checkThatNothingIsMissing<Item: Codable & Identifiable & Sendable>(
        in contents: IndexContents, of type: Item.Type
    ) throws where Item.ID: Sendable {
        guard contents.bytes?.isEmpty == true, let name = try fileOfItem(type) else { return }
        throw DirectoryError(
            .damagedIndex, "read", indexURL, "it is empty, although \(name) is beside it")
    }

    /// The name of a container's folder, or of an asset; nil if there is none.
    private func fileOfItem<Item: Codable & Identifiable & Sendable>(_ type: Item.Type) throws
        -> FileName? where Item.ID: Sendable
    {
        if Ownership<Item>.ownsFolders {
            for name in try fileSystem.list(handle) where !name.isHidden {
                if try fileSystem.status(of: name, in: handle)?.kind == .folder { return name }
            }
        }
        if Ownership<Item>.ownsFiles {
            for assets in store.assetFolders {
                guard let inner = try fileSystem.openFolderIfPresent(assets, in: handle) else {
                    continue
                }
                if let name = try fileSystem.list(inner).first { return name }
            }
        }
        return nil
    }
}
