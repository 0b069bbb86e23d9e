import FileSystem

extension PlacedContainer {
    /// Opens a collection that the item holds; asking twice gives two values on the same data.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the parent cannot be used, or is the
    ///   folder of a preview in use; `invalidName` if the folder name is invalid, `optionsDiffer`
    ///   if the collection is open with other options, `accessDenied` or `ioFailure`.
    public func directory<C>(_ child: Child<C>, options: DirectoryOptions = .init()) throws
        -> Directory<C>
    {
        guard !PreviewFolders.contains(parent) else {
            throw DirectoryError(
                .invalidLocation, "open \(child.name) of an item in", parent,
                "its collection is a preview, which is only in memory: use its child(_:of:options:)"
            )
        }
        try NameRules.checkFolder(folderName, in: parent)
        return try Directory<C>(
            at: folder, index: "\(child.name).json", options: options, on: LocalFileSystem(),
            isContainer: true)
    }
}
