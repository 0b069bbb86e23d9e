import Directory
import FileSystem
import Foundation

/// The collection that is replicated, with those in its containers.
protocol AnyRoot: Sendable {
    var binding: any AnyBinding { get }
    var opener: any CollectionOpener { get }
    var disk: any FileSystem { get }
    var stem: FileName { get }
    var machine: String { get }
    var url: URL { get }
    func openFolder() throws -> Handle
    /// Reads the collection, and compares it with the base; `earlier` are the items that the base was made of.
    func look(since earlier: RootItems?, _ base: Base) throws -> (CollectionLook, RootItems)
    func openAsset(_ name: String) throws -> ImportSource?
    func isUnchanged(_ child: String, at path: [String], since mark: CollectionMark) -> Bool
    func makeStage() throws -> Stage
    /// The names that no container of the root can get, beside those of its items.
    func takenNames(beside names: [String]) throws -> Set<String>
    /// The names of all files in the assets folder of the root.
    var namesOfAssets: Set<FileName> { get throws }
    /// Commits plans, and returns the items of the root after that.
    func apply(_ writer: PlanWriter, _ stage: Stage?, to earlier: RootItems?) throws -> RootItems
    /// Calls `body` after each change of the collection.
    func follow(_ body: @escaping @Sendable () -> Void) async
}

/// The items of the root, of any type.
struct RootItems: Sendable {
    let items: any Sendable
    /// The times of the assets folders when no file was missing in them.
    var assets: AssetsMark?
}

struct Root<Item: Codable & Identifiable & Sendable>: AnyRoot where Item.ID: Sendable {
    let directory: Directory<Item>
    let typed: Binding<Item>

    var binding: any AnyBinding { typed }
    var opener: any CollectionOpener { RootOpener(directory: directory) }
    var disk: any FileSystem { directory.disk }
    var stem: FileName { directory.stem }
    var machine: String { directory.machine }
    var url: URL { directory.url }

    private var reference: CollectionReference { .init(typed.kind, in: nil) }

    func openFolder() throws -> Handle {
        guard let folder = try directory.openFolder(making: true) else {
            throw ReplicaError(.folderMissing, url, "the folder of the collection is missing")
        }
        return folder
    }

    func look(since earlier: RootItems?, _ base: Base) throws -> (CollectionLook, RootItems) {
        let (look, items, assets) = try typed.look(
            at: directory, reference, since: typedItems(earlier), sinceAssets: earlier?.assets,
            base)
        return (look, RootItems(items: items, assets: look.withoutFile.isEmpty ? assets : nil))
    }

    private func typedItems(_ items: RootItems?) -> Directory<Item>.Items? {
        items?.items as? Directory<Item>.Items
    }

    func openAsset(_ name: String) throws -> ImportSource? { try directory.openAsset(name) }

    func isUnchanged(_ child: String, at path: [String], since mark: CollectionMark) -> Bool {
        directory.isUnchanged(child, at: path, since: mark)
    }

    func makeStage() throws -> Stage { try directory.makeStage() }

    func takenNames(beside names: [String]) throws -> Set<String> {
        try directory.takenNames(beside: names)
    }

    var namesOfAssets: Set<FileName> { get throws { try directory.namesOfAssets } }

    func apply(_ writer: PlanWriter, _ stage: Stage?, to earlier: RootItems?) throws -> RootItems {
        let known = typedItems(earlier)
        return try directory.importLines(stage) { draft, assets in
            writer.begin(assets)
            // The items that the base was made of need not be compared line by line.
            let isKnown =
                known.map {
                    $0.count == draft.items.count
                        && draft.items.countOfSameAtStart(as: $0) == $0.count
                } ?? false
            try writer.apply(to: &draft, reference, typed, isKnown: isKnown)
            return RootItems(items: draft.items)
        }
    }

    func follow(_ body: @escaping @Sendable () -> Void) async {
        for await _ in directory.changes { body() }
    }
}
