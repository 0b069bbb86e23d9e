import FileSystem

extension PlacedContainer {
    /// Opens a collection that the item holds; asking twice gives two values on the same data.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the parent cannot be used,
    ///   `invalidName` if the folder name is invalid, `accessDenied` or `ioFailure`.
    public func directory<C>(_ child: Child<C>, options: DirectoryOptions = .init()) throws
        -> Directory<C>
    {
        try NameRules.check(folderName, in: parent)
        return try Directory<C>(
            at: folder, index: "\(child.name).json", options: options, on: LocalFileSystem(),
            isContainer: true)
    }
}
