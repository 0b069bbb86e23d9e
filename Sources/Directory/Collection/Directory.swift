package import FileSystem
public import Foundation
public import Observation
import Synchronization

/// An observable collection of items that is kept as a JSON file in a folder.
///
/// The index, such as `projects.json`, is a plain JSON array with one item a line. Every change
/// is committed when its method returns: it is complete on disk, and survives a power loss and the
/// end of the process at any instant. For example:
///
///     let projects = try Directory<Project>(at: folder, index: "projects.json")
///     try projects.load()
///     try projects.append(Project(title: "Apollo"))
///
/// Behaviour:
/// - Any number of values on one index in one process share the same items. `load()` and each
///   change read the changes of other processes first.
/// - Reading never waits for the disk and can be done on any thread.
/// - A change never overwrites an index that was not read.
/// - Items that this version cannot decode, and fields that it does not know, keep their bytes: see
///   <doc:EvolvingModels>.
/// - Nothing is made on disk before the first change.
public final class Directory<Item: Codable & Identifiable & Sendable>: Sendable, Observable
where Item.ID: Sendable {
    let core: Core
    let coding: ItemCoding<Item>
    let durability: DirectoryOptions.Durability

    /// Creates a value of a core that was made for such items.
    init(core: Core, durability: DirectoryOptions.Durability) {
        self.core = core
        coding = unsafeDowncast(core.reader, to: ItemCoding<Item>.self)
        self.durability = durability
        core.addHandle()
    }

    deinit { core.removeHandle() }

    /// Opens the collection whose index is the file `index` in `folder`.
    ///
    /// Neither has to exist. Nothing is read before `load()` or the first change.
    ///
    /// - Parameters:
    ///   - folder: The absolute file URL of a folder. Symbolic links in its path are followed;
    ///     those below the folder are not. In a ``MemoryVolume`` the collection is in memory.
    ///   - index: A visible file name that ends in `.json`, such as `projects.json`.
    ///   - options: How to write and read.
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the URL or the name cannot be used,
    ///   `accessDenied` if the folder cannot be opened, `optionsDiffer` if the index is open in
    ///   this process with other options.
    public convenience init(at folder: URL, index: String, options: DirectoryOptions = .init())
        throws
    {
        try self.init(at: Place(of: folder), index: index, options: options)
    }

    package convenience init(
        at folder: URL, index: String, options: DirectoryOptions = .init(),
        on fileSystem: any FileSystem
    ) throws {
        try self.init(
            at: folder, index: index, options: options, on: fileSystem, in: nil, isContainer: false)
    }

    /// Opens the collection at `place`; `isContainer` says that this is the folder of a container.
    convenience init(
        at place: Place, index: String, options: DirectoryOptions = .init(),
        isContainer: Bool = false
    ) throws {
        try self.init(
            at: place.folder, index: index, options: options, on: place.fileSystem,
            in: place.volume, isContainer: isContainer)
    }

    private convenience init(
        at folder: URL, index: String, options: DirectoryOptions, on fileSystem: any FileSystem,
        in volume: MemoryVolume?, isContainer: Bool
    ) throws {
        let store = IndexStore(
            fileSystem: fileSystem, names: try IndexNames(index, in: folder), options: options,
            volume: volume)
        let location = try PathLocation(
            folder, on: fileSystem, options: options, isContainer: isContainer)
        let core = try DirectoryError.describing("open", folder) {
            try Registry.shared.core(at: location, store, ItemCoding<Item>.self)
        }
        self.init(core: core, durability: options.durability)
    }
}

extension Directory {
    /// The items, in order, as of the newest change that is on disk.
    public var items: Items {
        core.broadcaster.observers.access(\.items)
        return currentItems
    }

    /// The items, not observed.
    var currentItems: Items { Items(core.snapshot.elements) }

    /// The number of items.
    public var count: Int { core.count }

    /// Whether there are no items.
    public var isEmpty: Bool { core.count == 0 }

    /// The state of loading: not loaded yet, loading, loaded or failed.
    public var phase: DirectoryPhase { core.phase }

    /// The item with `id`, observed on its own; nil if there is none.
    public subscript(id id: Item.ID) -> Item? {
        let hash = id.hashValue
        core.broadcaster.observers.single.access(hash)
        return currentItems.element(of: id, hash: hash)?.item
    }

    /// The URL of the index.
    public var url: URL { core.url }

    /// The elements of the index that cannot be decoded as this type, or that have the id of an
    /// earlier element; they keep their place and bytes.
    ///
    /// If a load failed because too many elements are damaged, these are the damaged elements of
    /// that load.
    public var damagedItems: [DamagedItem] {
        core.broadcaster.observers.access(\.items)
        core.broadcaster.observers.access(\.phase)
        return core.newestRead.damagedItems(core.store.options)
    }

    /// The changes from now on, of this and other processes; each change is delivered after readers
    /// can see it.
    ///
    /// The sequence ends with `close()`, and when the last `Directory` value of the index is
    /// released.
    public var changes: Changes { Changes(core.broadcaster.streams.subscribe()) }
}
