import FileSystem
import Synchronization

/// The names of the folders and of the files that the elements of an index own.
struct OwnedNames: Sendable {
    var folders = NameTable()
    var files = NameTable()
}

extension OwnedNames {
    /// The names that `elements` own.
    ///
    /// Invalid names, and the later one of two names that collide, are left out: their elements can be
    /// read and changed, but own nothing.
    init(of elements: Elements) {
        for element in elements { give(namesOf: element) }
    }

    /// Whether an element ever did not get a name because another one had it.
    var hadCollisions: Bool { folders.hadCollisions || files.hadCollisions }

    /// Gives `element` the names that it gives its folder and its file.
    fileprivate mutating func give(namesOf element: any IndexElement) {
        if let name = element.folder?.name { _ = folders.give(name, to: element.id) }
        if let name = element.file?.name { _ = files.give(name, to: element.id) }
    }

    /// Takes the names of its folder and its file from `element`.
    fileprivate mutating func free(namesOf element: any IndexElement) {
        if let name = element.folder?.name { folders.free(name) }
        if let name = element.file?.name { files.free(name) }
    }
}

/// The names that the elements of one snapshot own; computed at the first use, because reading elements
/// does not need them.
final class LazyNames: Sendable {
    private enum State: Sendable {
        case elements(Elements)
        case names(OwnedNames)
    }

    private let state: Mutex<State>

    /// The names that `elements` of `reader` own.
    init(of elements: Elements, _ reader: any ElementReader) {
        state = Mutex(reader.ownsNames ? .elements(elements) : .names(OwnedNames()))
    }

    init(_ names: OwnedNames = OwnedNames()) {
        state = Mutex(.names(names))
    }

    /// The names after the elements with `ids` have changed from `old`, whose names these are, to `new`.
    ///
    /// If these names are known, and no two elements have ever had the same name, only those elements are asked for
    /// theirs.
    func changed(
        from old: Elements, to new: Elements, _ ids: Set<ElementID>, _ reader: any ElementReader
    ) -> LazyNames {
        guard reader.ownsNames else { return self }
        guard case .names(var names) = state.withLock({ $0 }), !names.hadCollisions else {
            return LazyNames(of: new, reader)
        }
        let pairs = ids.map { (old: old[$0], new: new[$0]) }.filter { pair in
            guard let old = pair.old, let new = pair.new else { return true }
            return !new.hasNames(of: old)
        }
        if pairs.isEmpty { return self }
        for element in pairs.compactMap(\.old) { names.free(namesOf: element) }
        for element in pairs.compactMap(\.new) { names.give(namesOf: element) }
        return names.hadCollisions ? LazyNames(of: new, reader) : LazyNames(names)
    }

    var value: OwnedNames {
        switch state.withLock({ $0 }) {
        case .names(let names): return names
        case .elements(let elements):
            // Not under the lock, because it calls code of the item's type.
            let names = OwnedNames(of: elements)
            state.withLock { $0 = .names(names) }
            return names
        }
    }
}
