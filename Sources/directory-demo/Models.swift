import Directory
import Foundation

/// A project: its folder holds its photos and notes.
struct Project: Container {
    let id: UUID
    var name: String

    /// Creates a project.
    ///
    /// - Throws: ``Failure`` if a folder cannot be named after it.
    init(named name: String) throws {
        try Self.check(name)
        id = UUID()
        self.name = name
    }

    /// The letters and digits of the name, so that no shell needs quotes.
    ///
    /// Two names can come to the same folder; the collection refuses the second.
    var folderName: String { "Project_" + name.filter(Self.isSafe) }

    /// Checks that something of `name` is left in the name of the folder.
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

extension Child where Item == Photo {
    static let photos = Child("photos")
}

extension Child where Item == Note {
    static let notes = Child("notes")
}
