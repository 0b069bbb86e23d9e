import AppFolders
import Directory
import Foundation

/// A folder with the projects, and their notes and photos.
struct Store {
    let folder: URL
    let projects: Directory<Project>

    /// The place of the store if no folder is given.
    static var defaultPlace: some WritablePlace {
        AppFolder.Library.Application_Support.Directory_Demo
    }

    /// The name of the index of the projects.
    static let index = "projects.json"

    /// The options of all collections of a store.
    ///
    /// A wait for a lock ends after a second, so that ``waiting(_:)`` can say that it waits. Removed items can
    /// be brought back for 30 days.
    static let options = DirectoryOptions(lockTimeout: .seconds(1), keepsRemoved: .days(30))

    /// Opens the store in the folder at `path`, or in the default place.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, or nil.
    ///   - need: The state of the store that the command needs; by default the store may be missing. If
    ///     nothing is to be read, a damaged store is no error.
    /// - Throws: ``Failure`` if there is no store, but one is needed; `DirectoryError` if the projects
    ///   cannot be loaded.
    init(at path: String?, _ need: Command.Need = .anyStore) throws {
        folder =
            path.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? Self.defaultPlace.url
        projects = try Directory(
            at: folder.absoluteURL, index: Self.index, options: Self.options)
        try check(need)
    }

    /// Checks that the store is as the command needs it, and loads it if it is to be read.
    ///
    /// - Throws: ``Failure`` if there is no store, but one is needed; `DirectoryError` if the projects
    ///   cannot be loaded.
    func check(_ need: Command.Need) throws {
        if need == .store, isMissing {
            throw Failure(
                "no store at \(folder.path(percentEncoded: false))",
                hint: "Make one with: directory-demo new NAME")
        }
        if [.store, .anyStore].contains(need) { try projects.load() }
    }

    /// Whether the folder has none of the files of a store.
    ///
    /// A file whose status cannot be read is not missing.
    var isMissing: Bool {
        [Self.index, ".projects.journal", ".projects.lock"].allSatisfy { name in
            var status = stat()
            let path = folder.appending(path: name).path(percentEncoded: false)
            return lstat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
        }
    }
}

extension Library.Application_Support {
    final class Directory_Demo: Folder {}
    var Directory_Demo: Directory_Demo { subfolder() }
}

extension Store {
    func project(named name: String) throws -> Project {
        try Self.project(named: name, in: projects.items)
    }

    static func project(named name: String, in items: Directory<Project>.Items) throws -> Project {
        guard let project = items.first(where: { $0.name == name }) else {
            let similar = name.mostSimilar(in: items.map(\.name))
            throw Failure("there is no project \(name)" + similar.asQuestion)
        }
        return project
    }

    /// Checks that no project in `items`, except the one with `id`, has the name `name`.
    static func checkFree(
        _ name: String, in items: Directory<Project>.Items, except id: UUID? = nil
    ) throws {
        if items.contains(where: { $0.name == name && $0.id != id }) {
            throw Failure("there is a project \(name) already")
        }
    }

    /// Opens and loads a child collection of `project`.
    func open<Item>(_ child: Child<Item>, of project: Project) throws -> Directory<Item> {
        let collection = try projects.child(child, of: project.id)
        try collection.load()
        return collection
    }
}
