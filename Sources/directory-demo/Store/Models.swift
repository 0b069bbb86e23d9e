import Directory
import Foundation

/// A project: its folder holds its photos and notes.
struct Project: Container, Equatable {
    var id = UUID()
    var name: String
    var folderName: String
}

extension Project {
    /// Makes a project whose folder is named after it.
    init(named name: String, in projects: Directory<Project>) throws {
        let folderName = try projects.freeFolderName(for: "Project_\(name)")
        self.init(name: name, folderName: folderName)
    }

    /// Gives the project another name, and a folder name made of it.
    mutating func rename(to name: String, in projects: Directory<Project>) throws {
        folderName = try projects.freeFolderName(for: "Project_\(name)", of: id)
        self.name = name
    }

    /// Checks that `name` has characters that people can see.
    static func check(_ name: String) throws {
        if name.allSatisfy(\.isWhitespace) { throw Failure("a project needs a name") }
    }
}

/// A line of text about a project.
struct Note: Codable, Equatable, Identifiable, Sendable {
    var id = UUID()
    var text: String
}

extension Child where Item == Note {
    static let notes = Child("notes")
}

extension String {
    /// The name, with `mark` at its end as often as makes it none of `names`.
    func unused(_ mark: String, _ names: some Sequence<String>) -> String {
        names.contains(self) ? (self + mark).unused(mark, names) : self
    }
}
