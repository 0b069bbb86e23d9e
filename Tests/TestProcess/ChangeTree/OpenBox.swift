import Directory
import StoreModel

/// A box that a process has open; it may have been moved or removed since.
struct OpenBox {
    let session: Session
    let path: [Int]

    var notes: Directory<Note> { get throws { try session.notes(in: path) } }
    var photos: Directory<Photo> { get throws { try session.photos(in: path) } }
    var parts: OpenShelf { OpenShelf(session: session, shelf: .parts(path)) }
}

/// The projects, or the parts of one of them.
struct OpenShelf {
    let session: Session
    let shelf: Shelf

    var boxes: Directory<Box> { get throws { try session.boxes(on: shelf) } }

    /// The ids of the boxes around those on the shelf.
    var path: [Int] { if case .parts(let path) = shelf { path } else { [] } }

    /// Whether a writer may add another box.
    var hasRoom: Bool { get throws { try boxes.count < (shelf == .projects ? 5 : 4) } }
}
