import Foundation

extension PlacedContainer {
    /// Opens a collection inside the item; two calls give two values that share the same items.
    ///
    /// - Parameters:
    ///   - child: The name and the item type of the collection.
    ///   - options: How to write and read the collection; nil for the options of the item's own collection, if that is
    ///     open in this process.
    /// - Returns: The collection, which is not loaded yet.
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the parent cannot be used,
    ///   `invalidName` if the folder name is invalid, `optionsDiffer` if the collection is open with
    ///   other options, `accessDenied` or `ioFailure`.
    public func directory<C>(_ child: Child<C>, options: DirectoryOptions? = nil) throws
        -> Directory<C>
    {
        try NameRules.checkFolder(folderName, in: parent)
        return try Directory<C>(
            at: Place(of: folder), index: "\(child.name)\(FileRole.index.rawValue)",
            options: options ?? inheritedOptions ?? .init(), isContainer: true)
    }

    /// The options that collections inside this item inherit; nil if its collection is not open in
    /// this process.
    private var inheritedOptions: DirectoryOptions? {
        get throws {
            let place = Place(of: parent)
            let location = try PathLocation(
                place.folder, on: place.fileSystem, options: .init(), isContainer: false)
            let cores = try Registry.shared.cores(at: location.anchor(), ItemCoding<Self>.self)
            let id = IDElement<Self>(id).id
            let core = cores.first { $0.snapshot.elements.contains(id) } ?? cores.first
            return core.map { $0.store.options.forChildren }
        }
    }
}
