import Directory
import Foundation

/// A container whose folder name is stored.
struct Project: Container, Equatable {
    var id = UUID()
    var title: String
    var folderName: String
    var note: String?
    var count: Int?
    var marks: Set<String>?
    var route: [String]?

    init(_ title: String, folder: String? = nil) {
        self.title = title
        folderName = folder ?? title
    }
}

/// A container in a container.
struct Album: Container, Equatable {
    var id = UUID()
    var folderName: String
}

struct Note: Codable, Identifiable, Equatable, Sendable {
    var id = UUID()
    var text: String
    var mark: String?
}

/// An item whose id is text, which is unique in its collection only.
struct Tag: Codable, Identifiable, Equatable, Sendable {
    var id: String
    var color: String
}

extension Child where Item == Note {
    static let notes = Child("notes")
}

extension Child where Item == Album {
    static let albums = Child("albums")
}

extension Child where Item == Tag {
    static let tags = Child("tags")
}
