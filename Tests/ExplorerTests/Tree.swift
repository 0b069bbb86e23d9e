import Directory
import Foundation
import StoreModel

/// What users see of a tree: two indexes of containers, whose items hold notes, photographs and
/// further containers.
struct Tree: Hashable, Sendable {
    /// A container with everything in it; photographs by their names.
    struct Node: Hashable, Sendable {
        var box: Box
        var notes: [Note] = []
        var photos: [String] = []
        var parts: [Node] = []
    }

    var projects: [Node] = []
    var archive: [Node] = []
    /// What the process that makes a change can take back, and the other one; not visible to users.
    var taken: Taken?
    var takenByOther: Taken?

    /// The same without what is not visible.
    var visible: Tree { Tree(projects: projects, archive: archive) }
}

/// An index of containers.
enum Shelf: Hashable, Sendable {
    case projects, archive
    /// The containers in the container at a path.
    case parts([Int])
}

/// Why the model refuses a change: the codes that the library may give as the reason.
struct Refusal: Error {
    let codes: Set<DirectoryError.Code>

    init(_ codes: DirectoryError.Code...) { self.codes = Set(codes) }

    /// A container on the way to what changes is missing, now or since it was opened.
    static let noContainer = Refusal(.itemNotFound, .containerRemoved)
}

extension Tree {
    /// Two projects, one of them with a part, and an archived project.
    static let start = Tree(
        projects: [
            Node(
                box: Box(id: 1, folderName: "Ab"),
                notes: [Note(id: 11, title: "a"), Note(id: 12, title: "b")], photos: ["p1", "p2"],
                parts: [
                    Node(
                        box: Box(id: 3, folderName: "Pa"), notes: [Note(id: 31, title: "c")],
                        photos: ["p3"])
                ]),
            Node(
                box: Box(id: 2, folderName: "Cd"), notes: [Note(id: 21, title: "d")],
                photos: ["p4"]),
        ],
        archive: [Node(box: Box(id: 4, folderName: "Ar"), photos: ["p5"])])

    /// The bytes of the photograph `name`, which no other file has.
    static func bytes(of name: String) -> Data { Data("photograph \(name)".utf8) }

    /// The names of all photographs.
    var photos: [String] { (projects + archive).flatMap(\.allPhotos) }

    /// The containers on `shelf`.
    subscript(shelf: Shelf) -> [Node] {
        get throws {
            switch shelf {
            case .projects: projects
            case .archive: archive
            case .parts(let path): try node(at: path).parts
            }
        }
    }

    /// Changes the containers on `shelf`.
    mutating func change(_ shelf: Shelf, _ body: (inout [Node]) throws -> Void) throws {
        switch shelf {
        case .projects: try body(&projects)
        case .archive: try body(&archive)
        case .parts(let path): try change(path) { try body(&$0.parts) }
        }
    }

    /// Changes the container at `path`: its id, after those of the containers that it is in.
    mutating func change(_ path: [Int], _ body: (inout Node) throws -> Void) throws {
        try Self.change(&projects, path[...], body)
    }

    func node(at path: [Int]) throws -> Node {
        var nodes = projects
        var found: Node?
        for id in path {
            found = nodes.first { $0.box.id == id }
            nodes = found?.parts ?? []
        }
        guard let found else { throw Refusal.noContainer }
        return found
    }

    private static func change(
        _ nodes: inout [Node], _ path: ArraySlice<Int>, _ body: (inout Node) throws -> Void
    ) throws {
        guard let index = nodes.firstIndex(where: { $0.box.id == path.first }) else {
            throw Refusal.noContainer
        }
        if path.count == 1 { return try body(&nodes[index]) }
        try change(&nodes[index].parts, path.dropFirst(), body)
    }
}

extension Tree.Node {
    var allPhotos: [String] { photos + parts.flatMap(\.allPhotos) }
}

extension Tree: CustomStringConvertible {
    var description: String {
        "\(projects.map(\.description).joined(separator: " "))"
            + " | \(archive.map(\.description).joined(separator: " "))"
    }
}

extension Tree.Node: CustomStringConvertible {
    var description: String {
        let items = notes.map { "\($0.id)\($0.title)" } + photos + parts.map(\.description)
        return "\(box.id)\(box.folderName)(\(items.joined(separator: " ")))"
    }
}
