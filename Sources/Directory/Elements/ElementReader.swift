import Foundation

/// Makes elements of the lines of one index.
///
/// A class, so that handing it on costs one reference.
protocol ElementReader: AnyObject, Sendable {
    /// Creates a reader of an index; `url` is its URL, for messages.
    init(_ options: DirectoryOptions, url: @autoclosure @escaping @Sendable () -> URL)

    var options: DirectoryOptions { get }
    /// The URL of the index, for messages.
    var url: URL { get }
    /// The name of the type of the items, for messages.
    var typeName: String { get }
    /// Whether elements can own folders.
    var ownsFolders: Bool { get }
    /// Whether elements can own files in the assets folder.
    var ownsFiles: Bool { get }
    /// Whether making an element checks the syntax of its line.
    var checksSyntax: Bool { get }

    /// The element on `line`.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable` or `invalidID`.
    func element(on line: ArraySlice<UInt8>) throws -> any IndexElement

    /// The elements on `lines`.
    ///
    /// - Throws: A syntax error if a line is not JSON.
    func chunk(of lines: ArraySlice<ArraySlice<UInt8>>) throws -> ElementChunk

    /// The elements on the lines at `range` of an index that has each element on a line of its own; nil if it has not,
    /// or if a line is not JSON.
    ///
    /// `isLast` says that no lines follow. It is called only if ``checksSyntax``.
    func chunk(of range: Range<Int>, in bytes: [UInt8], isLast: Bool) -> ElementChunk?

    /// The id of a line that is not an element; nil if it cannot be read.
    ///
    /// It is looked for where `other`, an element of the same index, has its id.
    func id(of line: ArraySlice<UInt8>, like other: (any IndexElement)?) -> ElementID?

    /// The id with `value`; nil if ids have another type.
    func id(_ value: any Sendable) -> ElementID?

    /// Whether two values of the member `name` of `line` are equal, with sets and dictionaries in another order at most.
    func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>
    ) -> Bool

    /// Completes records of the seed library from the files in `folder`, and returns whether there were any.
    func complete(_ elements: inout Elements, in folder: IndexFolder) throws -> Bool
}

extension ElementReader {
    /// Whether elements can own folders or files.
    var ownsNames: Bool { ownsFolders || ownsFiles }
}

/// A run of elements that one processor core has read.
struct ElementChunk: Sendable {
    var elements: [any IndexElement] = []
    var failures: [Failure] = []

    /// A line that is not an element.
    struct Failure: Sendable {
        /// The number of elements before it.
        var position: Int
        var line: ArraySlice<UInt8>
        var reason: String
        /// Nil if it can be decoded, but has an invalid id.
        var error: (any Error)?
    }
}
