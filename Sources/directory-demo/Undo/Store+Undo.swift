import Directory
import Foundation

extension Store {
    /// Undoes the change of `step`, if nobody has changed its items since.
    ///
    /// - Returns: Whether anything was changed. False if the change was undone before, such as by an
    ///   undo that was killed before it removed the record.
    /// - Throws: ``Failure`` if somebody has changed the items; then nothing is changed.
    func undo(_ step: Step) throws -> Bool {
        func failure(_ reason: String, hint: String) -> Failure {
            Failure("cannot undo \(step.title): \(reason); nothing was changed", hint: hint)
        }
        do {
            return try undo(step.action)
        } catch let conflict as Failure {
            throw failure(
                conflict.message,
                hint: "To go on with the change before it: directory-demo undo --skip")
        } catch let error as DirectoryError where error.code == .nameTaken {
            // The error advises another name, which an undo cannot choose.
            let path = error.url.path(percentEncoded: false)
            throw failure(
                "cannot \(error.operation) \(path): \(error.reason)",
                hint: "Move or rename what has the name, then undo again.")
        }
    }

    private func undo(_ action: Step.Action) throws -> Bool {
        switch action {
        case .made(let project):
            try remove(project)
        case .renamed(let old, let new):
            try rename(new, backTo: old)
        case .noted(let note, let id):
            try remove([note], from: open(.notes, of: project(id)), orSay: "the note was changed")
        case .imported(let photos, let id):
            try remove(
                photos, from: open(.photos, of: project(id)),
                orSay: "not all of the photos are there as they were")
        case .moved(let photo, let position, let from, let to):
            try move(
                photo, from: open(.photos, of: project(to)), to: open(.photos, of: project(from)),
                at: position)
        case .removedNote(let note, let id):
            try bringBack(note, to: open(.notes, of: project(id)), "the note")
        case .removedPhoto(let photo, let id):
            try bringBack(photo, to: open(.photos, of: project(id)), "the photo")
        case .removedProject(let id):
            try bringBack(id, to: projects, "the project") { project in
                try Self.checkFree(project.name, in: projects.items, except: project.id)
            }
        }
    }

    private func project(_ id: UUID) throws -> Project {
        guard let project = projects.items[id: id] else {
            throw Failure("the project was removed")
        }
        return project
    }

    /// Removes items that are still as they were added.
    private func remove<Item: Equatable>(
        _ items: [Item], from collection: Directory<Item>, orSay reason: String
    ) throws -> Bool {
        try collection.commit { draft in
            if items.allSatisfy({ draft[id: $0.id] == nil }) { return false }
            guard items.allSatisfy({ draft[id: $0.id] == $0 }) else {
                throw Failure(reason)
            }
            try draft.remove(ids: items.map(\.id))
            return true
        }
    }

    /// Brings back an item that was removed.
    private func bringBack<Item>(
        _ id: Item.ID, to collection: Directory<Item>, _ what: String,
        check: (Item) throws -> Void = { _ in }
    ) throws -> Bool {
        if collection.items[id: id] != nil { return false }
        guard let removed = try collection.recentlyRemoved().first(where: { $0.item.id == id })
        else { throw Failure("\(what) is no longer kept") }
        try check(removed.item)
        try collection.changing { _ = try $0.bring(back: [removed.id]) }
        return true
    }

    /// Moves a photo back to its old collection and position; if that position is gone, it stays at the end.
    private func move(
        _ photo: Photo, from source: Directory<Photo>, to target: Directory<Photo>, at position: Int
    ) throws -> Bool {
        if target.items[id: photo.id] != nil { return false }
        guard source.items[id: photo.id] == photo else {
            throw Failure("the photo was changed or removed")
        }
        try source.changing { try $0.transfer([photo.id], to: target) }
        try target.commit { draft in
            guard let end = draft.items.index(of: photo.id), position < end else { return }
            try draft.move(fromOffsets: [end], toOffset: position)
        }
        return true
    }
}

// Projects.
extension Store {
    private func rename(_ new: Project, backTo old: Project) throws -> Bool {
        try projects.commit { draft in
            if draft[id: old.id] == old { return false }
            guard draft[id: new.id] == new else {
                throw Failure("the project was changed")
            }
            try Self.checkFree(old.name, in: draft.items, except: old.id)
            try draft.update(old)
            return true
        }
    }

    /// Removes a project that is empty, and has not changed since it was made.
    private func remove(_ project: Project) throws -> Bool {
        if projects.items[id: project.id] == nil { return false }
        return try projects.commit { draft in
            // Nobody can add an item while the write has locked the collections of the project.
            let counts = try [
                draft.write(.photos, of: project.id) { $0.items.count },
                draft.write(.notes, of: project.id) { $0.items.count },
            ]
            guard
                try draft[id: project.id] == project && counts == [0, 0] && hasNoFiles(project)
            else { throw Failure("the project was changed") }
            try draft.remove(id: project.id)
            return true
        }
    }

    /// Whether nothing is in the folder of `project` but empty collections.
    private func hasNoFiles(_ project: Project) throws -> Bool {
        // Any other file in the folder would be lost with it.
        let listing = try FolderListing(of: projects.folder(of: project.id))
        return try listing.invalidNames.isEmpty
            && listing.urls.allSatisfy { entry in
                switch entry.lastPathComponent {
                case "photos.json", "notes.json": true
                case "photos": try FolderListing(of: entry).isEmpty
                default: false
                }
            }
    }
}
