import Foundation

extension PlacedContainer {
    /// Opens a collection that the item holds; asking twice gives two values on the same data.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the parent cannot be used,
    ///   `invalidName` if the folder name is invalid, `optionsDiffer` if the collection is open with
    ///   other options, `accessDenied` or `ioFailure`.
    public func directory<C>(_ child: Child<C>, options: DirectoryOptions = .init()) throws
        -> Directory<C>
    {
        try NameRules.checkFolder(folderName, in: parent)
        return try Directory<C>(
            at: Place(of: folder), index: "\(child.name).json", options: options,
            isContainer: true)
    }
}
