import Directory

extension Tree {
    /// The names of all files.
    package var files: [String] { (projects + archive).flatMap(\.files) }

    /// The boxes on `shelf`.
    package subscript(shelf: Shelf) -> [Node] {
        get throws {
            switch shelf {
            case .projects: projects
            case .archive: archive
            case .parts(let path): try self[path].parts
            }
        }
    }

    /// The box at `path`.
    package subscript(path: [Int]) -> Node {
        get throws {
            var nodes = projects
            var found: Node?
            for id in path {
                found = nodes.first { $0.box.id == id }
                nodes = found?.parts ?? []
            }
            guard let found else { throw Refusal.noBox }
            return found
        }
    }

    /// The notes at `path`.
    func notes(in path: [Int]) throws -> [Note] { path.isEmpty ? notes : try self[path].notes }

    /// Changes the boxes on `shelf`.
    mutating func change(_ shelf: Shelf, _ body: (inout [Node]) throws -> Void) throws {
        switch shelf {
        case .projects: try body(&projects)
        case .archive: try body(&archive)
        case .parts(let path): try change(path) { try body(&$0.parts) }
        }
    }

    /// Changes the box at `path`.
    mutating func change(_ path: [Int], _ body: (inout Node) throws -> Void) throws {
        try Self.change(&projects, path[...], body)
    }

    mutating func changeNotes(in path: [Int], _ body: (inout [Note]) throws -> Void) throws {
        if path.isEmpty { try body(&notes) } else { try change(path) { try body(&$0.notes) } }
    }

    private static func change(
        _ nodes: inout [Node], _ path: ArraySlice<Int>, _ body: (inout Node) throws -> Void
    ) throws {
        guard let index = nodes.firstIndex(where: { $0.box.id == path.first }) else {
            throw Refusal.noBox
        }
        if path.count == 1 { return try body(&nodes[index]) }
        try change(&nodes[index].parts, path.dropFirst(), body)
    }
}

extension Tree.Node {
    fileprivate var files: [String] { photos.map(\.file) + parts.flatMap(\.files) }
}
