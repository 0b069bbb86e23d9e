public import Observation

/// Some items of a collection in sections, kept up to date.
///
/// For example, in a view:
///
///     let days = photos.results(sortedBy: KeyPathComparator(\.date), sectionedBy: \.day)
///     List {
///         ForEach(days.sections) { section in
///             Section(section.key.description) {
///                 ForEach(section.items) { photo in PhotoRow(photo) }
///             }
///         }
///     }
///
/// A section is added with its first item and removed with its last. The behaviour of ``Results``
/// holds here too. The positions that a `ForEach` of a section gives to `onDelete` are those in the section:
///
///     .onDelete { offsets in try? days.delete(at: offsets, in: section) }
public final class SectionedResults<
    Item: Codable & Identifiable & Sendable, Key: Hashable & Comparable & Sendable
>: Sendable, Observable where Item.ID: Sendable {
    let directory: Directory<Item>
    /// Whether the items of a section have another order than in the collection.
    let isSorted: Bool
    private let view: LiveView<SectionedArrangement<Item, Key>>

    init(of directory: Directory<Item>, _ arrangement: SectionedArrangement<Item, Key>) {
        self.directory = directory
        isSorted = arrangement.order.isSorted
        view = LiveView(of: directory.core, arrangement)
    }

    /// The sections now, in the order of their keys, observed; a value that never changes and costs
    /// nothing to copy.
    public var sections: Sections { view.value }

    /// Whether there are no sections.
    public var isEmpty: Bool { view.value.isEmpty }
}

extension SectionedResults {
    /// The items with one key.
    public struct Section: Identifiable, Sendable {
        /// The common key of the items.
        public let key: Key
        /// The items; at least one.
        public let items: Directory<Item>.Items

        /// The key.
        public var id: Key { key }
    }

    /// The sections at one moment, in the order of their keys.
    public struct Sections: RandomAccessCollection, Sendable {
        /// A section in the tree; it is found by its position alone, never by an id or a label.
        private final class SectionElement: IndexElement {
            let section: Section
            init(_ section: Section) { self.section = section }

            var line: ArraySlice<UInt8> { [] }
            var idHash: Int { 0 }
            var idValue: any Sendable { section.key }
            var idAlone: any IndexElement { self }
            var folder: OwnedName? { nil }
            var file: OwnedName? { nil }
            func hasID(of other: any IndexElement) -> Bool { self === other }
        }

        /// Every entry has an element of the class above.
        private var tree = ElementTree()

        /// The position of the first section: 0.
        public var startIndex: Int { 0 }
        /// The position after the last section: the count.
        public var endIndex: Int { tree.count }
        /// The section at `position`.
        public subscript(position: Int) -> Section { Self.section(tree[position]) }

        private static func section(_ entry: ElementTree.Entry) -> Section {
            unsafeDowncast(entry.element, to: SectionElement.self).section
        }

        mutating func insert(_ section: Section, at position: Int) {
            tree.insert(.init(label: 0, element: SectionElement(section)), at: position)
        }

        mutating func replace(at position: Int, with section: Section) {
            tree.replace(at: position, with: SectionElement(section))
        }

        mutating func remove(at position: Int) { _ = tree.remove(at: position) }
    }
}

extension SectionedResults.Section: Equatable where Item: Equatable {}

extension SectionedResults.Sections: Equatable where Item: Equatable {
    /// Whether both have equal sections in the same order; shared nodes are not compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.tree.isEqual(to: right.tree) { left, right in
            left.element === right.element || section(left) == section(right)
        }
    }
}
