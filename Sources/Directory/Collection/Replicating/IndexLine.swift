package import Foundation

/// An element of an index as its line, whatever the type of the item is.
package struct IndexLine: Sendable {
    let element: any IndexElement

    package var id: ElementID { element.id }
    package var bytes: ArraySlice<UInt8> { element.line }
    /// The name of the folder of the item; nil if items of its type have none.
    package var folderName: String? { element.folder?.text }
    /// The name of the file of the item; nil if items of its type have none.
    package var fileName: String? { element.file?.text }
}

extension IndexLine {
    /// Decodes `bytes`, and checks the names that the item gives to its folder and its file.
    init(_ bytes: ArraySlice<UInt8>, _ reader: any ElementReader) throws {
        element = try reader.element(on: bytes)
        if let folderName { try NameRules.checkFolder(folderName, in: reader.url) }
        if let fileName { try NameRules.check(fileName, in: reader.url) }
    }
}

/// The lines of a collection at one moment, in order.
package struct CollectionLines: RandomAccessCollection, Sendable {
    let elements: Elements

    package var startIndex: Int { 0 }
    package var endIndex: Int { elements.count }
    package subscript(position: Int) -> IndexLine { .init(element: elements[position]) }

    package func contains(_ id: ElementID) -> Bool { elements.contains(id) }

    /// The number of lines at the beginning that are the same values in memory in both.
    package func countOfSameAtStart(as other: Self) -> Int {
        elements.tree.countOfSame(as: other.elements.tree, atEnd: false)
    }

    /// The number of lines at the end that are the same values in memory in both.
    package func countOfSameAtEnd(as other: Self) -> Int {
        elements.tree.countOfSame(as: other.elements.tree, atEnd: true)
    }
}

/// How the lines of items of one type are read.
package struct LineCoding: Sendable {
    let reader: any ElementReader
    package let itemType: any Sendable.Type
    package let idType: any Sendable.Type

    /// Creates the coding of a collection at `url`, for messages, with `options`.
    package init<Item: Codable & Identifiable & Sendable>(
        of _: Item.Type, _ options: DirectoryOptions, at url: URL
    ) where Item.ID: Sendable {
        reader = ItemCoding<Item>(options, url: url)
        (itemType, idType) = (Item.self, Item.ID.self)
    }

    /// Whether items own folders.
    package var ownsFolders: Bool { reader.ownsFolders }
    /// Whether items own files.
    package var ownsFiles: Bool { reader.ownsFiles }

    /// The line `bytes`.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable` or `invalidID`; `invalidName` if a name that it gives to a
    ///   folder or a file cannot be used.
    package func decode(_ bytes: ArraySlice<UInt8>) throws -> IndexLine {
        try IndexLine(bytes, reader)
    }

    /// The id with `value`; nil if ids have another type.
    package func id(_ value: any Sendable) -> ElementID? { reader.id(value) }

    /// Whether two values of the member `name` of `line` are equal, with sets and dictionaries in another order at most.
    package func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>
    ) -> Bool {
        reader.areSame(left, right, of: name, in: line)
    }
}
