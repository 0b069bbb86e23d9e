package import Directory

/// An item without files.
package struct Note: Codable, Identifiable, Hashable, Sendable {
    package var id: Int
    package var title: String

    package init(id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

extension Note: Comparable {
    /// Orders notes by their titles.
    package static func < (left: Note, right: Note) -> Bool { left.title < right.title }
}

/// A container whose folder name is a property of its own.
package struct Box: Container, Hashable {
    package var id: Int
    package var folderName: String

    package init(id: Int, folderName: String) {
        self.id = id
        self.folderName = folderName
    }
}

extension Child where Item == Note {
    package static let notes = Child("notes")
}

extension Child where Item == Box {
    /// The boxes in a box.
    package static let parts = Child("parts")
}
