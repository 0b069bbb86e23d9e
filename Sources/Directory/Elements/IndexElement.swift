/// One element of an index: its line, and what the engine asks of the item in it.
///
/// A class, so that sharing an element costs one reference, whatever its size.
protocol IndexElement: AnyObject, Sendable {
    /// Its JSON in the index.
    var line: ArraySlice<UInt8> { get }
    /// A hash of its id; equal ids have equal hashes.
    var idHash: Int { get }
    /// Whether `other` has the same id; false if it is of another type.
    func hasID(of other: any IndexElement) -> Bool
    /// The value of its id.
    var idValue: any Sendable { get }
    /// An element that has the id alone.
    var idAlone: any IndexElement { get }
    /// The name that it gives its folder; nil if elements of its type own none.
    var folder: OwnedName? { get }
    /// The name that it gives its file; nil if elements of its type own none.
    var file: OwnedName? { get }
}

extension IndexElement {
    var id: ElementID { ElementID(element: self) }

    /// Whether its folder and its file have the names that `other` gives them, byte for byte, or neither gives one.
    func hasNames(of other: any IndexElement) -> Bool {
        folder.isSame(as: other.folder) && file.isSame(as: other.file)
    }
}

/// The id of an element, which is that of the item in it.
package struct ElementID: Hashable, Sendable {
    /// An element with this id; another version of it may be in the index by now.
    let element: any IndexElement

    /// The id, for messages.
    var text: String { "\(value)" }
    /// The id, as the item has it.
    package var value: any Sendable { element.idValue }
    /// A hash of the id; equal ids have equal hashes.
    var hash: Int { element.idHash }

    /// The same id, to keep it for long, without the item and its line.
    var alone: ElementID { ElementID(element: element.idAlone) }

    package static func == (left: Self, right: Self) -> Bool {
        left.element === right.element || left.element.hasID(of: right.element)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
