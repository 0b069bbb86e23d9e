import AppFolders
import Directory
import Foundation

/// A folder with the projects and what belongs to them.
struct Store {
    let folder: URL
    let projects: Directory<Project>

    /// The place of the store if no folder is given.
    static var defaultPlace: some WritablePlace {
        AppFolder.Library.Application_Support.Directory_Demo
    }

    /// Opens the store in the folder at `path`, or in the default place.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, or nil.
    ///   - loading: Whether the projects are loaded. If not, nothing is read, so that a damaged
    ///     store is no error.
    /// - Throws: `DirectoryError` if the projects cannot be loaded.
    init(at path: String?, loading: Bool = true) throws {
        folder =
            path.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? Self.defaultPlace.url
        projects = try Directory(at: folder.absoluteURL, index: "projects.json")
        if loading { try projects.load() }
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
            throw Failure(.operation, "there is no project \(name)")
        }
        return project
    }

    /// Checks that no project in `items`, except the one with `id`, has the name `name`.
    static func checkFree(
        _ name: String, in items: Directory<Project>.Items, except id: UUID? = nil
    ) throws {
        if items.contains(where: { $0.name == name && $0.id != id }) {
            throw Failure(.operation, "there is a project \(name) already")
        }
    }

    /// Opens and loads a child collection of `project`.
    func open<Item>(_ child: Child<Item>, of project: Project) throws -> Directory<Item> {
        let collection = try projects.child(child, of: project.id)
        try collection.load()
        return collection
    }
}
