import Directory
import StoreModel

/// A container that a process has open; it may have been moved or removed since.
struct Place {
    let id: Int
    let notes: Directory<Note>
    let photos: Directory<Photo>
    let parts: Directory<Box>

    init(_ id: Int, in shelf: Directory<Box>) throws {
        self.id = id
        notes = try shelf.child(StressTree.notes, of: id)
        photos = try shelf.child(StressTree.photos, of: id)
        parts = try shelf.child(StressTree.parts, of: id)
    }

    /// The name of the container in the log.
    var name: String { "c\(id)" }
}

/// A collection of containers: the projects, or the parts of one of them.
struct Shelf {
    let name: String
    let boxes: Directory<Box>
    let capacity: Int
}

/// What the library must not do, whatever other processes do.
struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
