import Directory
import StoreModel

extension TreeWriter {
    /// Few names, so that they are used again and again; some differ only in case.
    private func makeName() -> String {
        let names = ["Ab", "ab", "Cd", "Ef", "Gh", "Ij", "ij", "Kl", "Mn", "Op", "Qr", "St"]
        return names.randomElement(using: &random) ?? ""
    }

    private func box(on shelf: Shelf) throws -> Box? {
        try shelf.boxes.load()
        return shelf.boxes.items.randomElement(using: &random)
    }

    func appendBox(on shelf: Shelf) throws {
        try shelf.boxes.load()
        guard shelf.boxes.count < shelf.capacity else { return }
        let box = Box(id: makeID(), folderName: makeName())
        try log.record("add \(shelf.name) c\(box.id)", "call c\(box.id) \(box.folderName)") {
            try shelf.boxes.append(box)
        }
    }

    func renameBox(on shelf: Shelf) throws {
        guard let box = try box(on: shelf) else { return }
        let name = makeName()
        try log.record("call c\(box.id) \(name)") {
            try shelf.boxes.update(Box(id: box.id, folderName: name))
        }
    }

    /// Gives the name of a container to a new one, in one commit or in two.
    func renameAndReuseName(on shelf: Shelf) throws {
        guard let box = try box(on: shelf) else { return }
        let name = makeName()
        try free("call c\(box.id) \(name)", nameOf: box, on: shelf) { draft in
            try draft.update(Box(id: box.id, folderName: name))
        }
    }

    func removeBox(from shelf: Shelf) throws {
        guard let box = try box(on: shelf), shelf.boxes.count > 1 else { return }
        try log.record("remove \(shelf.name) c\(box.id)") { try shelf.boxes.remove(id: box.id) }
    }

    /// Replaces a container by a new one of the same name, in one commit or in two.
    func removeAndReuseName(on shelf: Shelf) throws {
        guard let box = try box(on: shelf) else { return }
        try free("remove \(shelf.name) c\(box.id)", nameOf: box, on: shelf) { draft in
            try draft.remove(id: box.id)
        }
    }

    /// Performs `change`, which the log calls `entry`, and gives the name of `box` to a new one.
    private func free(
        _ entry: String, nameOf box: Box, on shelf: Shelf,
        _ change: @Sendable (inout Directory<Box>.Draft) throws -> Void
    ) throws {
        guard Bool.random(using: &random), shelf.boxes.count < shelf.capacity else {
            try log.record(entry) { try shelf.boxes.write(change) }
            return try append(called: box.folderName, on: shelf)
        }
        let new = Box(id: makeID(), folderName: box.folderName)
        try log.record(
            entry, "add \(shelf.name) c\(new.id)", "call c\(new.id) \(new.folderName)"
        ) {
            try shelf.boxes.write { draft in
                try change(&draft)
                try draft.append(new)
            }
        }
    }

    private func append(called name: String, on shelf: Shelf) throws {
        guard shelf.boxes.count < shelf.capacity else { return }
        let new = Box(id: makeID(), folderName: name)
        try log.record("add \(shelf.name) c\(new.id)", "call c\(new.id) \(name)") {
            try shelf.boxes.append(new)
        }
    }

    func transferPart(from project: Place, to other: Place) throws {
        guard project.id != other.id else { return }
        try project.parts.load()
        guard other.parts.count < 6, let box = project.parts.items.randomElement(using: &random)
        else { return }
        try log.record("move \(project.name) \(other.name) c\(box.id)") {
            try project.parts.transfer([box.id], to: other.parts)
        }
    }
}
