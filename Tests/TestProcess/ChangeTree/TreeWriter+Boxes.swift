import Directory
import StoreModel

extension TreeWriter {
    /// Few names, so that they are used again and again; some differ only in case.
    private func makeName() -> String {
        let names = ["Ab", "ab", "Cd", "Ef", "Gh", "Ij", "ij", "Kl", "Mn", "Op", "Qr", "St"]
        return names.randomElement(using: &random) ?? ""
    }

    private func box(on shelf: OpenShelf) throws -> Box? {
        try shelf.boxes.load()
        return try shelf.boxes.items.randomElement(using: &random)
    }

    func appendBox(on shelf: OpenShelf) throws {
        try shelf.boxes.load()
        guard try shelf.hasRoom else { return }
        let box = Box(id: makeID(), folderName: makeName())
        try make(.appendBox(box, on: shelf.shelf), in: shelf.session)
    }

    func renameBox(on shelf: OpenShelf) throws {
        guard let box = try box(on: shelf) else { return }
        try make(.renameBox(box.id, to: makeName(), on: shelf.shelf), in: shelf.session)
    }

    /// Gives a box another name, and adds notes to it and to another box, in one commit.
    func renameBoxWithNotes(on shelf: OpenShelf) throws {
        guard let box = try box(on: shelf), let other = try self.box(on: shelf) else { return }
        var steps = [Step.renameBox(box.id, to: makeName(), on: shelf.shelf)]
        for id in Set([box.id, other.id]) {
            let path = shelf.path + [id]
            let notes = try shelf.session.notes(in: path)
            try notes.load()
            if notes.count > 11 { continue }
            steps.append(.appendNote(Note(id: makeID(), title: "0"), in: path))
        }
        try make(.write(steps, on: shelf.shelf), in: shelf.session)
    }

    func renameAndReuseName(on shelf: OpenShelf) throws {
        guard let box = try box(on: shelf) else { return }
        let change = Step.renameBox(box.id, to: makeName(), on: shelf.shelf)
        try reuseName(of: box, after: change, on: shelf)
    }

    func removeBox(from shelf: OpenShelf) throws {
        guard let box = try box(on: shelf), try shelf.boxes.count > 1 else { return }
        try make(.removeBox(box.id, from: shelf.shelf), in: shelf.session)
    }

    func removeAndReuseName(on shelf: OpenShelf) throws {
        guard let box = try box(on: shelf) else { return }
        try reuseName(of: box, after: .removeBox(box.id, from: shelf.shelf), on: shelf)
    }

    /// Gives the name of `box` to a new one after `change`, in one commit or in two.
    private func reuseName(of box: Box, after change: Step, on shelf: OpenShelf) throws {
        let new = Box(id: makeID(), folderName: box.folderName)
        let append = Step.appendBox(new, on: shelf.shelf)
        guard Bool.random(using: &random), try shelf.hasRoom else {
            try make(change, in: shelf.session)
            return try shelf.hasRoom ? make(append, in: shelf.session) : ()
        }
        try make(.write([change, append], on: shelf.shelf), in: shelf.session)
    }

    func transferPart(from project: OpenBox, to other: OpenBox) throws {
        guard project.path != other.path, let box = try box(on: project.parts),
            try project.session.boxes(on: .parts(other.path)).count < 6
        else { return }
        try make(
            .transferBox(box.id, from: .parts(project.path), to: .parts(other.path)),
            in: project.session)
    }
}
