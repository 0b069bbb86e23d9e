import Directory
import Foundation

struct Note: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var title: String

    static let eggs = Note(id: 1, title: "Eggs")
    static let milk = Note(id: 2, title: "Milk")
    static let salt = Note(id: 3, title: "Salt")
}

struct Project: Container, Hashable {
    var id = UUID()
    var title: String
    var folderName: String { "Project_\(title)" }
}

extension Child where Item == Photo {
    static let photos = Child("photos")
}

extension Child where Item == Note {
    static let notes = Child("notes")
}
