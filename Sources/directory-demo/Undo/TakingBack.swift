import Directory
import Foundation

extension Store {
    /// Takes back the change of `step`, if nobody has changed since what it left.
    ///
    /// - Throws: ``Failure`` if somebody has; then nothing is changed.
    func takeBack(_ step: Step, _ history: History) throws {
        do {
            try takeBack(step.action, history)
        } catch let conflict as Conflict {
            throw Failure(
                .operation,
                "cannot take back \(step.title): \(conflict.reason); nothing was changed")
        }
    }

    /// What others changed since the step.
    private struct Conflict: Error { let reason: String }

    private func takeBack(_ action: Step.Action, _ history: History) throws {
        switch action {
        case .made(let project): try remove(project)
        case .renamed(let old, let new): try rename(new, backTo: old)
        case .noted(let note, let id):
            let notes = try open(.notes, of: project(id))
            try change(notes) { draft in
                guard draft[id: note.id]?.text == note.text else {
                    throw Conflict(reason: "the note was changed or removed")
                }
                try draft.remove(id: note.id)
            }
        case .removedNote(let note, let position, let id):
            let notes = try open(.notes, of: project(id))
            try change(notes) { try $0.insert(note, at: min(position, $0.items.count)) }
        case .imported(let photos, let id):
            let collection = try open(.photos, of: project(id))
            try change(collection) { draft in
                guard photos.allSatisfy({ draft[id: $0.id] == $0 }) else {
                    throw Conflict(reason: "not all of the photos are there as they were")
                }
                try draft.remove(ids: photos.map(\.id))
            }
        case .moved(let photo, let position, let from, let to):
            let source = try open(.photos, of: project(to))
            try bringBack(photo, from: source, to: open(.photos, of: project(from)), at: position)
        case .removedPhoto(let photo, let position, let id):
            try bringBack(
                photo, from: history.photos, to: open(.photos, of: project(id)), at: position)
        case .removedProject(let project, let position):
            try bringBack(project, from: history, at: position)
        }
    }

    /// Makes one commit, and closes the collection.
    private func change<Item>(
        _ collection: Directory<Item>, _ body: (inout Directory<Item>.Draft) throws -> Void
    ) throws {
        try waiting { try collection.write(body) }
        try waiting { try collection.close() }
    }

    private func project(_ id: UUID) throws -> Project {
        guard let project = projects.items[id: id] else {
            throw Conflict(reason: "the project was removed")
        }
        return project
    }

    /// Removes a project that is still empty.
    private func remove(_ project: Project) throws {
        let current = try self.project(project.id)
        let isEmpty = try open(.photos, of: current).isEmpty && open(.notes, of: current).isEmpty
        guard current == project, isEmpty else {
            throw Conflict(reason: "the project was changed")
        }
        try change(projects) { try $0.remove(id: project.id) }
    }

    private func rename(_ new: Project, backTo old: Project) throws {
        try change(projects) { draft in
            guard draft[id: new.id] == new else {
                throw Conflict(reason: "the project was changed")
            }
            try Self.checkFree(old.name, in: draft.items, except: old.id)
            try draft.update(old)
        }
    }

    private func bringBack(
        _ photo: Photo, from source: Directory<Photo>, to target: Directory<Photo>,
        at position: Int
    ) throws {
        guard source.items[id: photo.id] == photo else {
            throw Conflict(reason: "the photo was changed or removed")
        }
        try waiting { try source.transfer([photo.id], to: target) }
        try move(photo.id, in: target, to: position)
        try waiting { try source.close() }
    }

    private func bringBack(_ project: Project, from history: History, at position: Int) throws {
        guard history.projects.items[id: project.id] == project else {
            throw Conflict(reason: "the project is no longer kept")
        }
        try Self.checkFree(project.name, in: projects.items)
        try waiting { try history.projects.transfer([project.id], to: projects) }
        try move(project.id, in: projects, to: position)
        try waiting { try history.projects.close() }
    }

    /// Moves an item from the end to where it was; if that fails, it stays at the end.
    private func move<Item>(_ id: Item.ID, in collection: Directory<Item>, to position: Int) throws
    {
        try change(collection) { draft in
            guard let end = draft.items.index(of: id), position < end else { return }
            try draft.move(fromOffsets: [end], toOffset: position)
        }
    }
}
