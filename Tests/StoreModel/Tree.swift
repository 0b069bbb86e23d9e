package import Directory

/// What users see of a store: notes, two indexes of boxes, and in each box notes, photographs and
/// further boxes.
package struct Tree: Hashable, Sendable {
    /// A box with everything in it.
    package struct Node: Hashable, Sendable {
        package var box: Box
        package var notes: [Note]
        package var photos: [Photograph]
        package var parts: [Node]

        package init(
            _ box: Box, notes: [Note] = [], photos: [Photograph] = [], parts: [Node] = []
        ) {
            self.box = box
            self.notes = notes
            self.photos = photos
            self.parts = parts
        }
    }

    package var notes: [Note]
    package var projects: [Node]
    package var archive: [Node]
    /// The last change of the process that makes the next one, and that of the other process; not visible
    /// to users.
    package var taken: Taken?
    package var takenByOther: Taken?
    /// The number that a ``StoreOperation`` named something after last; not visible to users.
    package var lastNumber: Int

    package init(
        notes: [Note] = [], projects: [Node] = [], archive: [Node] = [], lastNumber: Int = 0
    ) {
        self.notes = notes
        self.projects = projects
        self.archive = archive
        self.lastNumber = lastNumber
    }

    /// The same without what is not visible, to compare it with what is read from a store.
    package var visible: Tree { Tree(notes: notes, projects: projects, archive: archive) }
}

/// An index of boxes.
package enum Shelf: Hashable, Sendable {
    case projects, archive
    /// The boxes in the box at a path: its id, after those of the boxes that it is in.
    case parts([Int])
}

/// A collection of a store.
package enum Place: Hashable, Sendable {
    /// The notes in the box at a path; the store has notes too, at the empty path.
    case notes([Int])
    case photos([Int])
    case boxes(Shelf)
}

/// Why the model refuses a change: the codes that the library may give as the reason.
package struct Refusal: Error {
    package let codes: Set<DirectoryError.Code>

    package init(_ codes: DirectoryError.Code...) { self.codes = Set(codes) }

    /// A box in the path of the change is missing, now or since it was opened.
    package static let noBox = Refusal(.itemNotFound, .containerRemoved)
}

extension Tree {
    /// Two notes, a project with one photograph and an empty project.
    package static let small = Tree(
        notes: [Note(id: 1, title: "a"), Note(id: 2, title: "b")],
        projects: [
            Node(Box(id: 3, folderName: "Ab"), photos: ["p0"]),
            Node(Box(id: 4, folderName: "Cd")),
        ], lastNumber: 4)

    /// Two notes, a project with two photographs, one with one and an empty one.
    package static let large = Tree(
        notes: small.notes,
        projects: [
            Node(Box(id: 3, folderName: "Ab"), photos: ["a", "b"]),
            Node(Box(id: 4, folderName: "Cd"), photos: ["c"]),
            Node(Box(id: 5, folderName: "Ef")),
        ], lastNumber: 5)
}

extension Tree {
    /// The projects of a copy: one that stores have too, with other contents, and one that they do not have.
    package static let copied = [
        Node(
            Box(id: 1, folderName: "Ab"),
            notes: [Note(id: 11, title: "a"), Note(id: 15, title: "e")], photos: ["p1", "p6"],
            parts: [Node(Box(id: 3, folderName: "Pa"), notes: [Note(id: 31, title: "c")])]),
        Node(Box(id: 10, folderName: "Cp"), notes: [Note(id: 115, title: "f")], photos: ["p7"]),
    ]
}

extension Tree: CustomStringConvertible {
    package var description: String {
        "\(notes.text) | \(projects.text) | \(archive.text)"
    }
}

extension Tree.Node: CustomStringConvertible {
    package var description: String {
        "\(box.id)\(box.folderName)(\([notes.text, photos.text, parts.text].text))"
    }
}

extension [Note] {
    fileprivate var text: String { map { "\($0.id)\($0.title.prefix(8))" }.text }
}

extension Array where Element: CustomStringConvertible {
    fileprivate var text: String {
        map(\.description).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
