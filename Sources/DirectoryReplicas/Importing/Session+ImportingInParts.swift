import Directory
import FileSystem
import Foundation

/// A commit has all collections open that it changes. If these are too many, an import takes several commits.
extension Session {
    /// An item, with the collections that are open when it is imported.
    private typealias Part = (item: ItemReference, collections: Set<CollectionReference>)

    /// Brings the collections in line with the state, in commits that change fewer collections each.
    ///
    /// - Returns: How many items have changed.
    mutating func importInParts(_ open: OpenReplica) throws -> Int {
        var rest = parts[...]
        var limit = rest.reduce(into: Set()) { $0.formUnion($1.collections) }.count / 2
        var itemLimit = rest.count
        var (count, waits) = (0, 0)
        while !rest.isEmpty {
            let (next, collectionCount) = Self.prefix(of: rest.prefix(itemLimit), limit)
            do {
                count += try importChanges(
                    of: Set(next.map(\.item)), before: rest.dropFirst(next.count).map(\.item), open)
                rest.removeFirst(next.count)
            } catch let error where error.isLackOfOpenFiles && next.count > 1 {
                // Each try has fewer items than the one before, so this ends.
                (limit, itemLimit) = (collectionCount / 2, next.count / 2)
            } catch let error where error.isLackOfOpenFiles && waits < 20 {
                // Work in the background has files open too, for a moment.
                waits += 1
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
        return count
    }

    /// All items of the import, those of containers before those in them.
    private var parts: [Part] {
        let depths = Dictionary(uniqueKeysWithValues: zip(kindsFromTop, 0...))
        func place(_ item: ItemReference) -> (Int, ItemKey) {
            let container = known.state.container(of: item)?.key ?? known.base[item]?.container
            return (depths[item.kind] ?? 0, container ?? item.key)
        }
        return unsettled.sorted { place($0) < place($1) }.map { ($0, collections(changedBy: $0)) }
    }

    /// The collections that an item leaves and comes to, and those in it if it is added to one or removed from one.
    private func collections(changedBy item: ItemReference) -> Set<CollectionReference> {
        let (base, state) = (known.base, known.state)
        var found: Set<CollectionReference> = []
        let old = base[item].map { CollectionReference(item.kind, in: $0.container) }
        if let old { found.insert(old) }
        if state.isAlive(item) {
            let new = CollectionReference(item.kind, in: state.container(of: item)?.key)
            found.insert(new)
            if new == old { return found }
            found.formUnion(state.collections(in: item))
        }
        if old != nil {
            for inner in base.contents(of: item, kindsFromTop) {
                found.insert(.init(inner.kind, in: base[inner]?.container))
            }
        }
        return found
    }

    /// The first items of `rest` that change `limit` collections together, at least one, and how many collections these
    /// are.
    private static func prefix(of rest: ArraySlice<Part>, _ limit: Int) -> (ArraySlice<Part>, Int) {
        var collections: Set<CollectionReference> = []
        var end = rest.startIndex
        while end < rest.endIndex {
            let new = rest[end].collections.subtracting(collections)
            if collections.count + new.count > max(1, limit), end > rest.startIndex { break }
            collections.formUnion(new)
            end += 1
        }
        return (rest[..<end], collections.count)
    }
}

extension MergeState {
    /// The collections with living items in a container, at any depth.
    fileprivate func collections(in container: ItemReference) -> Set<CollectionReference> {
        var found: Set<CollectionReference> = []
        var open = [container]
        while let next = open.popLast() {
            for inner in contents[next] ?? [] where isAlive(inner) {
                found.insert(.init(inner.kind, in: next.key))
                open.append(inner)
            }
        }
        return found
    }
}

extension Error {
    /// Whether the process cannot have more files open.
    var isLackOfOpenFiles: Bool {
        let error =
            (self as? DirectoryError)?.underlying as? FileSystemError ?? self as? FileSystemError
        return error?.code == .tooManyOpenFiles
    }
}
