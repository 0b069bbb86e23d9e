package import Foundation

/// What users see of a store: notes, boxes of photographs, and an archive of boxes.
package struct StoreContents: Hashable, Sendable, CustomStringConvertible {
    /// A photograph as its users see it.
    package struct StoredPhoto: Hashable, Sendable {
        package var name: String
        package var bytes: Data

        package init(name: String, bytes: Data) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// A box with its photographs.
    package struct StoredBox: Hashable, Sendable {
        package var box: Box
        package var photos: [StoredPhoto]

        package init(box: Box, photos: [StoredPhoto] = []) {
            self.box = box
            self.photos = photos
        }
    }

    package var notes: [Note] = []
    package var boxes: [StoredBox] = []
    package var archive: [StoredBox] = []
    /// The number that the newest note, box or photograph was named after; not visible to users.
    package var lastNumber = 0
    /// What ``StoreOperation/undo`` and ``StoreOperation/redo`` take back; not visible to users.
    var taken: [StoreOperation.Taken] = []

    /// The same without what is not visible, to compare it with what is read from a store.
    package var visible: StoreContents {
        var contents = self
        contents.lastNumber = 0
        contents.taken = []
        return contents
    }

    package var description: String {
        func text(_ boxes: [StoredBox]) -> String {
            boxes.map { stored in
                "\(stored.box.folderName):" + stored.photos.map(\.name).joined(separator: "+")
            }.joined(separator: " ")
        }
        return "\(notes.map { "\($0.id)\($0.title.prefix(1))" }.joined(separator: " "))"
            + " | \(text(boxes)) | \(text(archive))"
    }
}

extension StoreContents {
    /// Two notes, a box with one photograph and an empty box.
    package static let small = StoreContents(
        notes: [Note(id: 1, title: "a"), Note(id: 2, title: "b")],
        boxes: [
            StoredBox(box: Box(id: 3, folderName: "Ab"), photos: [.init(naming: "p0")]),
            StoredBox(box: Box(id: 4, folderName: "Cd")),
        ], lastNumber: 4)

    /// Two notes, a box with two photographs, a box with one and an empty box.
    package static let large = StoreContents(
        notes: small.notes,
        boxes: [
            StoredBox(box: Box(id: 3, folderName: "Ab"), photos: ["a", "b"].map(StoredPhoto.init)),
            StoredBox(box: Box(id: 4, folderName: "Cd"), photos: [.init(naming: "c")]),
            StoredBox(box: Box(id: 5, folderName: "Ef")),
        ], lastNumber: 5)

    /// Contents that differ in each index that has items, so that journals can make these of them.
    var beforeJournals: StoreContents {
        var contents = self
        contents.notes[0].title = "z"
        contents.boxes.append(contents.boxes.removeFirst())
        for box in contents.boxes.indices {
            for photo in contents.boxes[box].photos.indices {
                contents.boxes[box].photos[photo].name += "z"
            }
        }
        return contents
    }
}

extension StoreContents.StoredPhoto {
    /// A photograph whose bytes are its name.
    init(naming name: String) { self.init(name: name, bytes: Data(name.utf8)) }
}
