import FileSystem
import Foundation

/// A copy of a collection's elements that a write changes, and that becomes the collection at the commit.
package struct ElementDraft {
    private(set) var elements: Elements
    var damaged: [DamagedLine]
    /// What all changes do; empty after the first append to an empty collection, where every element is new.
    private(set) var changes = Changes()
    /// What the present one of several changes does; nil if the draft has one change.
    private(set) var step: Changes?
    /// The ids of elements that were damaged lines before.
    private(set) var migrated: Set<ElementID> = []
    var files = DraftFiles()
    /// The drafts of collections inside the elements.
    var children: [ChildDraft] = []
    /// The draft of another collection with which elements are exchanged; at most one.
    var peers: [ElementDraft] = []
    let reader: any ElementReader
    /// The write that the draft belongs to; nil if the draft cannot change collections inside elements.
    let write: CollectionWrite?

    init(_ snapshot: Snapshot, _ reader: any ElementReader, of write: CollectionWrite? = nil) {
        elements = snapshot.elements
        damaged = snapshot.damaged
        self.reader = reader
        self.write = write
    }

    /// Leaves an empty draft, so that the caller has this one alone, and can change it without copies.
    mutating func take() -> Self {
        var taken = ElementDraft(empty: reader, write)
        swap(&self, &taken)
        return taken
    }

    private init(empty reader: any ElementReader, _ write: CollectionWrite?) {
        (elements, damaged) = (Elements(), [])
        (self.reader, self.write) = (reader, write)
    }

    /// Which elements changes touch, and which they move.
    struct Changes {
        /// The ids of elements that were added, updated or removed.
        private(set) var touched: Set<ElementID> = []
        /// The ids of elements that were moved, or removed and added again.
        private(set) var moved: Set<ElementID> = []

        var isEmpty: Bool { touched.isEmpty && moved.isEmpty }

        fileprivate mutating func insert(_ id: ElementID) {
            if !touched.insert(id).inserted { moved.insert(id) }
        }

        fileprivate mutating func touch(_ id: ElementID) { touched.insert(id) }

        fileprivate mutating func move(_ ids: [ElementID]) { moved.formUnion(ids) }
    }

    var url: URL { reader.url }
    /// Whether elements are removed, here or in a collection inside an element.
    var removesAny: Bool {
        changes.touched.contains { !elements.contains($0) }
            || children.contains { $0.draft.removesAny }
    }
}

extension ElementDraft {
    /// Adds `new` at the end; if it throws, it adds none.
    ///
    /// - Throws: ``DirectoryError`` with `duplicateID`.
    mutating func append(_ new: [any IndexElement]) throws {
        guard elements.isEmpty, changes.touched.isEmpty, step == nil else {
            var draft = self
            for element in new {
                try draft.checkThatIsFree(element.id)
                draft.insert(element, at: draft.elements.count)
            }
            self = draft
            return
        }
        let (built, duplicates) = Elements.build(new)
        if let duplicate = duplicates.min() { throw isTaken(new[duplicate].id) }
        for element in new where !damaged.isEmpty { try checkThatIsFree(element.id) }
        elements = built
    }

    /// Adds an element; its id must be new.
    mutating func insert(_ element: any IndexElement, at index: Int) {
        elements.insert(element, at: index)
        changes.insert(element.id)
        step?.insert(element.id)
    }

    /// Adds elements that were removed from this draft to be placed anew.
    mutating func insertAgain(_ element: any IndexElement, at index: Int) {
        elements.insert(element, at: index)
    }

    /// Removes the elements at `positions`, which ascend, to be placed anew by ``insertAgain(_:at:)``.
    mutating func takeToMove(at positions: [Int]) -> [any IndexElement] {
        let taken = positions.reversed().map { elements.remove(at: $0) }
        move(taken.map(\.id))
        return taken
    }

    /// Replaces the elements by `new`, in their order.
    mutating func replaceAll(by new: Elements) {
        for element in new where elements[element.id]?.line != element.line { touch(element.id) }
        for element in elements where !new.contains(element.id) { touch(element.id) }
        let common = new.ids.filter(elements.contains)
        if common != elements.ids.filter(new.contains) { move(common) }
        elements = new
    }

    /// Replaces the element at `position` by one with the same id.
    mutating func replace(at position: Int, with element: any IndexElement) {
        elements.replace(at: position, with: element)
        touch(element.id)
    }

    /// Replaces a damaged line by an element, whose id must be new.
    mutating func migrate(to element: any IndexElement, at position: Int) {
        insert(element, at: position)
        migrated.insert(element.id)
    }

    /// Removes the elements at `positions`, which ascend.
    mutating func remove(at positions: [Int]) {
        for position in positions.reversed() {
            let element = elements[position]
            if !damaged.isEmpty {
                let previous = position == 0 ? nil : elements[position - 1].id
                moveDamagedLines(behind: element.id, to: previous)
            }
            elements.remove(at: position)
            touch(element.id)
            files.staged.take(from: element.id)
        }
    }

    /// Removes the elements with `ids`, as far as they exist.
    mutating func remove(_ ids: [ElementID]) {
        remove(at: ids.compactMap(elements.position).sorted())
    }

    /// Moves the elements at `source` before the one that is now at `destination`.
    mutating func move(_ source: IndexSet, to destination: Int) {
        move(source.map { elements[$0].id })
        elements.move(source, to: destination)
        if !damaged.isEmpty { placeDamagedLines() }
    }

    /// Gives the elements another order; `moved` has the fewest positions without which the others stay in order.
    mutating func reorder(_ order: [Int], moved outOfOrder: [Int]) {
        let old = Array(elements)
        move(outOfOrder.map { old[$0].id })
        elements = Elements.build(order.map { old[$0] }).elements
        if !damaged.isEmpty { placeDamagedLines() }
    }
}

extension ElementDraft {
    private mutating func touch(_ id: ElementID) {
        changes.touch(id)
        step?.touch(id)
    }

    private mutating func move(_ ids: [ElementID]) {
        changes.move(ids)
        step?.move(ids)
    }

    /// Begins the next one of several changes.
    mutating func beginStep() {
        step = Changes()
        for child in children.indices { children[child].draft.beginStep() }
    }
}

extension ElementDraft {
    /// The position of the element with `id`.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound`.
    func position(of id: ElementID, _ operation: String) throws -> Int {
        guard let position = elements.position(of: id) else { throw hasNoItem(id.text, operation) }
        return position
    }

    func hasNoItem(_ id: String, _ operation: String) -> DirectoryError {
        DirectoryError(
            .itemNotFound, operation, url, "it holds no item with id \(id)")
    }

    /// - Throws: ``DirectoryError`` with `duplicateID` if an element, or a line that cannot be decoded here, has `id`: a
    ///   newer version of the app would find two items with it.
    func checkThatIsFree(_ id: ElementID) throws {
        if elements.contains(id) { throw isTaken(id) }
        if !damaged.isEmpty, damaged.contains(where: { $0.id == id }) {
            throw DirectoryError(
                .duplicateID, "add to", url,
                "the id \(id.text) is that of an element that cannot be read as \(reader.typeName)",
                people: .init(
                    reason:
                        "it has the item already, in a form that this version of the app cannot read",
                    remedy: "Open it with the version of the app that wrote it."))
        }
    }

    func isTaken(_ id: ElementID) -> DirectoryError {
        DirectoryError(
            .duplicateID, "add to", url, "the id \(id.text) is taken")
    }

    /// The moves of the staged files that elements get to their file names in the folder `assets`.
    func imports(to assets: FileName) throws -> [Move] {
        if files.staged.assets.isEmpty { return [] }
        var moves: [Move] = []
        for (file, id) in files.staged.given {
            guard let owned = elements[id]?.file else { continue }
            moves.add(
                file.file, in: .init(staged: []), to: try NameRules.check(owned.text, in: file.url),
                in: .init(assets: assets))
        }
        return moves
    }
}
