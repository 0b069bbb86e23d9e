import Directory
import Foundation

extension Store {
    /// Undoes the change of `step`, if nobody has changed its items since.
    ///
    /// - Returns: Whether anything was changed. False if the change was undone before, such as by an
    ///   undo that was killed before it removed the record.
    /// - Throws: ``Failure`` if somebody has changed the items; then nothing is changed.
    func undo(_ step: Step) throws -> Bool {
        do {
            switch step.change {
            case .projects(let edit): return try undo(edit)
            case .photos(let edit, let id): return try open(.photos, of: project(id)).undo(edit)
            case .notes(let edit, let id): return try open(.notes, of: project(id)).undo(edit)
            case .moved(let photo, let position, let from, let to):
                return try open(.photos, of: project(to)).undo(
                    photo, to: open(.photos, of: project(from)), at: position)
            }
        } catch let conflict as Failure {
            throw Failure(
                "cannot undo \(step.title): \(conflict.message); nothing was changed",
                hint: "To go on with the change before it: directory-demo undo --skip")
        }
    }

    private func project(_ id: UUID) throws -> Project {
        guard let project = projects.items[id: id] else { throw Failure("the project was removed") }
        return project
    }

    private func undo(_ edit: Edit<Project>) throws -> Bool {
        for project in edit.before {
            try projects.items.checkFree(project.name, except: project.id)
        }
        return try projects.undo(edit) { draft in
            // A project that the command made is still empty, and stays so while the write has locked its collections.
            for project in edit.after where edit.before.isEmpty {
                let isEmpty =
                    try draft.write(.photos, of: project.id) { $0.items.isEmpty }
                    && draft.write(.notes, of: project.id) { $0.items.isEmpty }
                if !isEmpty { throw Failure.changedSince }
            }
        }
    }
}

extension Directory where Item: Equatable {
    /// Makes the items as they were before `edit`, if they are as it left them and `check` throws nothing.
    ///
    /// - Returns: False if they are as before already.
    fileprivate func undo(
        _ edit: Edit<Item>, check: (inout Draft) throws -> Void = { _ in }
    ) throws -> Bool {
        if items.have(edit.before, insteadOf: edit.after) { return false }
        if edit.after.isEmpty {
            // The newest removals come first.
            let kept = try recentlyRemoved()
            let ids = edit.before.compactMap { item in kept.first { $0.item.id == item.id }?.id }
            guard ids.count == edit.before.count else {
                throw Failure("what was removed is no longer kept")
            }
            _ = try changing { try $0.bring(back: ids) }
            return true
        }
        return try commit { draft in
            guard draft.items.have(edit.after, insteadOf: edit.before) else {
                throw Failure.changedSince
            }
            try check(&draft)
            let added = edit.after.filter { item in !edit.before.contains { $0.id == item.id } }
            try draft.remove(ids: added.map(\.id))
            for item in edit.before { try draft.update(item) }
            return true
        }
    }
}

extension Directory<Photo> {
    /// Moves a photo back to its old collection and position; if that position is gone, it stays at the end.
    fileprivate func undo(
        _ photo: Photo, to target: Directory, at position: Int
    ) throws -> Bool {
        if target.items[id: photo.id] != nil { return false }
        guard items[id: photo.id] == photo else { throw Failure.changedSince }
        try changing { try $0.transfer([photo.id], to: target) }
        try target.commit { draft in
            guard let end = draft.items.index(of: photo.id), position < end else { return }
            try draft.move(fromOffsets: [end], toOffset: position)
        }
        return true
    }
}

extension Directory.Items where Item: Equatable {
    /// Whether all of `items` are here as they are there, and none of the `others` besides.
    fileprivate func have(_ items: [Item], insteadOf others: [Item]) -> Bool {
        items.allSatisfy { self[id: $0.id] == $0 }
            && others.allSatisfy { other in
                items.contains { $0.id == other.id } || self[id: other.id] == nil
            }
    }
}

extension Failure {
    fileprivate static let changedSince = Failure("it was changed since")
}
