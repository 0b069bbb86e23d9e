import AppFolders
import Directory
import Foundation

/// The projects of one folder, loaded.
struct Store {
    let folder: URL
    let projects: Directory<Project>

    /// Where a store is unless it is told otherwise.
    static var defaultPlace: some WritablePlace {
        AppFolder.Library.Application_Support.Directory_Demo
    }

    /// Opens the store in the folder at `path`, or in the default one.
    ///
    /// Without `loading`, nothing is read, and nothing needs to be right there.
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

    /// Checks that no project in `items` is called `name`, except the one with `id`.
    static func checkFree(
        _ name: String, in items: Directory<Project>.Items, except id: UUID? = nil
    ) throws {
        if items.contains(where: { $0.name == name && $0.id != id }) {
            throw Failure(.operation, "there is a project \(name) already")
        }
    }

    /// A collection of `project`, loaded.
    func open<Item>(_ child: Child<Item>, of project: Project) throws -> Directory<Item> {
        let collection = try projects.child(child, of: project.id)
        try collection.load()
        return collection
    }
}

extension Directory<Photo> {
    /// The photo with the id `key`, or the only one whose file had the name `key`.
    func photo(_ key: String) throws -> Photo {
        if let id = UUID(uuidString: key), let photo = items[id: id] { return photo }
        let matches = items.filter { $0.name == key }
        guard let match = matches.first else {
            throw Failure(.operation, "there is no photo \(key)")
        }
        guard matches.count == 1 else {
            let ids = matches.map(\.id.uuidString).joined(separator: ", ")
            throw Failure(.operation, "\(matches.count) photos are called \(key), with ids \(ids)")
        }
        return match
    }
}
