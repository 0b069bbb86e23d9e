package import Directory
package import Foundation
package import StoreModel

extension Note {
    package static let eggs = Note(id: 1, title: "Eggs")
    package static let milk = Note(id: 2, title: "Milk")
    package static let salt = Note(id: 3, title: "Salt")

    package init(_ id: Int) {
        self.init(id: id, title: "Note \(id)")
    }
}

/// The same record as ``Note``; a collection of these is what another process sees.
///
/// Collections of different types never share their items, even in one process.
package struct OtherNote: Codable, Identifiable, Hashable, Sendable {
    package var id: Int
    package var title: String

    package init(id: Int, title: String) {
        (self.id, self.title) = (id, title)
    }

    package static let pears = OtherNote(id: 7, title: "Pears")
    package static let rice = OtherNote(id: 8, title: "Rice")
}

/// The same record as ``Box``; a collection of these is what another process sees.
package struct OtherBox: Container, Hashable {
    package var id: Int
    package var folderName: String

    package init(id: Int, folderName: String) {
        (self.id, self.folderName) = (id, folderName)
    }
}

package struct Project: Container, Hashable {
    package var id = UUID()
    package var title: String
    package var folderName: String { "Project_\(title)" }

    package init(id: UUID = UUID(), title: String) {
        (self.id, self.title) = (id, title)
    }
}

/// A container in the style of the seed library, which knows its parent folder.
package struct Album: PlacedContainer, Hashable {
    package var id = UUID()
    package var name: String
    package var parent: URL
    package var folderName: String { name }

    package init(id: UUID = UUID(), name: String, parent: URL) {
        (self.id, self.name, self.parent) = (id, name, parent)
    }
}

/// An asset whose file name is a property of its own.
package struct Piece: Asset, Hashable {
    package var id: Int
    package var fileName: String
    package var title: String

    package init(id: Int, fileName: String, title: String = "") {
        (self.id, self.fileName, self.title) = (id, fileName, title)
    }
}

extension Child where Item == Project {
    package static let projects = Child("projects")
}

extension Child where Item == Piece {
    package static let pieces = Child("pieces")
}
