import Directory
import Foundation

struct Note: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var title: String
}

struct Box: Container, Hashable {
    var id: Int
    var name: String
    var folderName: String { name }
}

extension Child where Item == Photo {
    static let photos = Child("photos")
}

/// What a store holds as its users see it: notes, boxes of photographs, and an archive of boxes.
struct World: Hashable, CustomStringConvertible {
    struct Picture: Hashable {
        var name: String
        var bytes: Data
    }

    struct Content: Hashable {
        var box: Box
        var pictures: [Picture] = []
    }

    var notes: [Note] = []
    var boxes: [Content] = []
    var archive: [Content] = []
    /// The number of the last note, box or picture that was made.
    var lastNumber = 0

    var description: String {
        func text(_ contents: [Content]) -> String {
            contents.map { content in
                "\(content.box.name):" + content.pictures.map(\.name).joined(separator: "+")
            }.joined(separator: " ")
        }
        return "\(notes.map { "\($0.id)\($0.title.prefix(1))" }.joined(separator: " "))"
            + " | \(text(boxes)) | \(text(archive))"
    }

    /// The same with the numbers that nobody sees left out.
    var visible: World {
        var world = self
        world.lastNumber = 0
        return world
    }
}

extension World {
    /// Two notes, a box with a picture and one without.
    static let first = World(
        notes: [Note(id: 1, title: "a"), Note(id: 2, title: "b")],
        boxes: [
            Content(
                box: Box(id: 3, name: "Ab"),
                pictures: [Picture(name: "p0", bytes: Data("zero".utf8))]),
            Content(box: Box(id: 4, name: "Cd")),
        ], lastNumber: 4)

    /// What was there before, where journals have made ``first`` of it.
    static var beforeFirst: World {
        var world = first
        world.notes[0].title = "z"
        world.boxes.reverse()
        world.boxes[1].pictures[0].name = "z0"
        return world
    }
}
