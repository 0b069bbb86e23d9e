import FileSystem
package import Foundation

/// The lines of items, and commits of lines, for replicas, which are a module of their own.
extension Directory {
    /// An item and its line, as one index has it.
    package struct Line: Sendable {
        let element: ItemElement<Item>

        package var item: Item { element.item }
        package var bytes: ArraySlice<UInt8> { element.line }
        /// The name of the folder of the item; nil if items of this type have none.
        package var folderName: String? { element.folder?.text }
        /// The name of the file of the item; nil if items of this type have none.
        package var fileName: String? { element.file?.text }
    }

    /// Whether items own folders.
    package static var ownsFolders: Bool { Ownership<Item>.ownsFolders }
    /// Whether items own files.
    package static var ownsFiles: Bool { Ownership<Item>.ownsFiles }

    /// The item that `line` encodes, with that line, as a collection at `url` with `options` reads it.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable` or `invalidID`; `invalidName` if a name that it gives to a
    ///   folder or a file cannot be used.
    package static func decode(
        _ line: ArraySlice<UInt8>, _ options: DirectoryOptions, at url: URL
    ) throws -> Line {
        let line = Line(element: try ItemCoding<Item>(options, url: url).itemElement(on: line))
        if let name = line.folderName { try NameRules.checkFolder(name, in: url) }
        if let name = line.fileName { try NameRules.check(name, in: url) }
        return line
    }

    /// Whether two values of the member `name` of `line` are equal, with sets and dictionaries in another order at most.
    package static func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>, _ options: DirectoryOptions, at url: URL
    ) -> Bool {
        ItemCoding<Item>(options, url: url).areSame(left, right, of: name, in: line)
    }

    /// The options of this collection.
    package var options: DirectoryOptions { core.store.options }
    /// The options of collections that items hold.
    package var optionsOfChildren: DirectoryOptions { core.store.options.forChildren }

    /// Loads, puts the index on stable storage, and returns the items.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    package func loadDurably() throws -> Items {
        try core.load()
        let items = currentItems
        try core.describing("sync") {
            guard let folder = try core.openFolder(making: false) else { return }
            try core.makeDurable(in: folder)
        }
        return items
    }

    /// The ids of elements that are no items here, each nil if it cannot be read.
    package var idsOfDamagedLines: [Item.ID?] {
        core.snapshot.damaged.filter { $0.duplicated == nil }
            .map { $0.id?.itemID(of: Item.self) }
    }

    /// Commits the changes that `body` makes to a draft, as changes of others, which this process cannot undo.
    ///
    /// `stage` has the files that `body` can give to items, here and in collections that items hold. `body` runs again
    /// if it reaches into a collection that others use just now.
    ///
    /// - Throws: The error of `body`, or ``DirectoryError`` with `stageClosed` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    package func importLines<Result>(
        _ stage: Stage?, _ body: (inout Draft, [StagedAsset]) throws -> Result
    ) throws -> Result {
        let operation = "import changes of other devices into"
        var request = CommitRequest(
            durability: .durable, operation: operation, recording: .restoring)
        guard let stage else { return try commit(request) { try body(&$0, []) } }
        let assets = try stage.beginInsert()
        request.importing = Import(stage, assets) { _ in }
        do {
            let (result, used) = try commit(request) { draft in
                let result = try body(&draft, assets)
                return (result, try draft.filesInOrder(of: assets))
            }
            stage.didInsert(used)
            return result
        } catch {
            stage.didFailToInsert()
            throw error
        }
    }
}

extension Directory.Items {
    /// The line of the item at `position`.
    package func line(at position: Int) -> Directory.Line { .init(element: element(at: position)) }

    /// The line of the item with `id`; nil if there is none.
    package func line(of id: Item.ID) -> Directory.Line? {
        element(of: id).map { .init(element: $0) }
    }

    /// The number of items at the beginning that are the same values in memory in both.
    package func countOfSameAtStart(as other: Self) -> Int {
        elements.tree.countOfSame(as: other.elements.tree, atEnd: false)
    }

    /// The number of items at the end that are the same values in memory in both.
    package func countOfSameAtEnd(as other: Self) -> Int {
        elements.tree.countOfSame(as: other.elements.tree, atEnd: true)
    }
}
