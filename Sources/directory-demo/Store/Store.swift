import AppFolders
import Directory
import Foundation

/// A folder with the projects, and their notes and photos.
struct Store {
    let folder: URL
    let projects: Directory<Project>

    /// The options of all collections of a store: removed items can be brought back for 30 days.
    static let options = DirectoryOptions(keepsRemoved: .days(30))

    /// Opens the store in the folder at `path`, or in the default place.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, or nil.
    ///   - need: The state of the store that the command needs. If nothing is to be read, a damaged store is no error.
    /// - Throws: ``Failure`` if there is no store, but one is needed; `DirectoryError` if the projects
    ///   cannot be loaded.
    init(at path: String?, _ need: Command.Need) throws {
        folder =
            path.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? AppFolder.Library.Application_Support.Directory_Demo.url
        projects = try Directory(
            at: folder.absoluteURL, index: "projects.json", options: Self.options)
        if need == .store, isMissing {
            throw Failure(
                "no store at \(folder.path(percentEncoded: false))",
                hint: "Make one with: directory-demo new NAME")
        }
        if [.store, .anyStore].contains(need) { try projects.load() }
    }

    /// Whether the folder has no index of projects.
    var isMissing: Bool {
        !FileManager.default.fileExists(atPath: projects.url.path(percentEncoded: false))
    }
}

extension Library.Application_Support {
    final class Directory_Demo: Folder {}
    /// The place of the store if no folder is given.
    var Directory_Demo: Directory_Demo { subfolder() }
}

extension Store {
    func project(named name: String) throws -> Project {
        try projects.items.project(named: name)
    }

    /// Opens and loads a child collection of `project`.
    func open<Item>(_ child: Child<Item>, of project: Project) throws -> Directory<Item> {
        let collection = try projects.child(child, of: project.id)
        try collection.load()
        return collection
    }

    /// Calls `body` with each project, also after it has failed for another one.
    ///
    /// - Returns: The results of `body` in the order of the projects, and a failure for each other project.
    func forEachProject<Result>(
        _ body: (Project) throws -> Result
    ) -> (results: [Result], failures: [Failure]) {
        var (results, failures): ([Result], [Failure]) = ([], [])
        for project in projects.items {
            do {
                results.append(try body(project))
            } catch {
                failures.append(Failure("project \(project.name): \(Failure(error).message)"))
            }
        }
        return (results, failures)
    }
}

extension Directory<Project>.Items {
    func project(named name: String) throws -> Project {
        guard let project = first(where: { $0.name == name }) else {
            throw Failure("there is no project \(name)")
        }
        return project
    }

    /// Checks that no project, except the one with `id`, has the name `name`.
    func checkFree(_ name: String, except id: UUID? = nil) throws {
        if contains(where: { $0.name == name && $0.id != id }) {
            throw Failure("there is a project \(name) already")
        }
    }
}

extension Directory {
    /// Makes a change, then closes the collection, which writes the change into the index.
    func changing<Result>(_ change: (Directory) throws -> Result) throws -> Result {
        let result = try change(self)
        try close()
        return result
    }

    /// Makes several changes in one commit, as ``changing(_:)`` does.
    func commit<Result>(_ body: (inout Draft) throws -> Result) throws -> Result {
        try changing { try $0.write(body) }
    }
}
