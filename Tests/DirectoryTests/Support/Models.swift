import Directory
import Foundation
import StoreModel

extension Note {
    static let eggs = Note(id: 1, title: "Eggs")
    static let milk = Note(id: 2, title: "Milk")
    static let salt = Note(id: 3, title: "Salt")
}

/// The same record as ``Note``; a collection of these is what another process sees.
///
/// Collections of different types never share their items, even in one process.
struct OtherNote: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var title: String

    static let pears = OtherNote(id: 7, title: "Pears")
    static let rice = OtherNote(id: 8, title: "Rice")
}

/// The same record as ``Box``; a collection of these is what another process sees.
struct OtherBox: Container, Hashable {
    var id: Int
    var folderName: String
}

struct Project: Container, Hashable {
    var id = UUID()
    var title: String
    var folderName: String { "Project_\(title)" }
}

/// A container in the style of the seed library, which knows its parent folder.
struct Album: PlacedContainer, Hashable {
    var id = UUID()
    var name: String
    var parent: URL
    var folderName: String { name }
}

/// An asset whose file name is a property of its own.
struct Piece: Asset, Hashable {
    var id: Int
    var fileName: String
    var title = ""
}

extension Child where Item == Project {
    static let projects = Child("projects")
}

extension Child where Item == Piece {
    static let pieces = Child("pieces")
}
