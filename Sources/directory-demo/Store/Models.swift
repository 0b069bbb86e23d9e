import Directory
import Foundation

/// A project: its folder holds its photos and notes.
struct Project: Container {
    let id: UUID
    var name: String

    /// Makes a project.
    ///
    /// - Throws: ``Failure`` if no folder can be named after it.
    init(named name: String) throws {
        try Self.check(name)
        id = UUID()
        self.name = name
    }

    /// A name from the letters and digits of the project's name, which needs no quotes in a shell.
    ///
    /// Two names can give the same folder name; the collection refuses the second project.
    var folderName: String { "Project_" + name.filter(Self.isSafe) }

    /// Checks that a folder name can be made from `name`.
    static func check(_ name: String) throws {
        guard name.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw Failure(.operation, "the name of a project needs a letter or a digit")
        }
    }

    private static func isSafe(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "_"
    }
}

/// A line of text about a project.
struct Note: Codable, Identifiable, Sendable {
    var id = UUID()
    var text: String
}

extension Child where Item == Note {
    static let notes = Child("notes")
}
