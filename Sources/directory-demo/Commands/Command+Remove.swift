import Directory
import Foundation

extension Command {
    @Sendable static func remove(_ call: Call) throws {
        let project = try call.store.project(named: call.operands[0])
        if let key = call.operands.dropFirst().first {
            try remove(key, from: project, call)
        } else {
            try remove(project, call)
        }
    }

    private static func remove(_ key: String, from project: Project, _ call: Call) throws {
        let photos = try call.store.open(.photos, of: project)
        let photo = try photos.photo(key)
        let place = "\(photo.name.styled(.bold)) from \(project.name.printable)"
        if call.has(.dryRun) { return print("Would remove \(place)") }
        let position = photos.items.index(of: photo.id) ?? 0
        let history = try History(of: call.store)
        try remove(from: photos, photo.id, into: history.photos) {
            call.store.record(
                "remove \(photo.name) from \(project.name)",
                .removedPhoto(photo, at: position, in: project.id))
        }
        try waiting { try photos.close() }
        call.say("Removed \(place)")
    }

    private static func remove(_ project: Project, _ call: Call) throws {
        let projects = call.store.projects
        let photos = try call.store.open(.photos, of: project).count.of("photo")
        let notes = try call.store.open(.notes, of: project).count.of("note")
        let contents = "\(project.name) with \(photos) and \(notes)"
        if call.has(.dryRun) { return print("Would remove \(contents.printable)") }
        if !call.has(.force) { try confirm(contents) }
        let position = projects.items.index(of: project.id) ?? 0
        let history = try History(of: call.store)
        try remove(from: projects, project.id, into: history.projects) {
            call.store.record("remove \(project.name)", .removedProject(project, at: position))
        }
        try waiting { try projects.close() }
        if call.isDefaultStore, Settings().project == project.name { Settings().project = nil }
        call.say("Removed \(project.name.styled(.bold)) and its folder")
    }

    /// - Throws: ``Failure`` unless the user says yes.
    private static func confirm(_ contents: String) throws {
        guard Terminal.canAsk else {
            throw Failure(
                .operation, "this would remove \(contents)", hint: "Use --force to do it.")
        }
        guard Terminal.confirm("Remove \(contents)?") else {
            throw Failure(.operation, "nothing was removed")
        }
    }

    /// Removes the photo with `id` so that `undo` can bring it back, and records that.
    ///
    /// A full volume, or a photo without its file, has to be removed nevertheless: for good.
    private static func remove(
        from photos: Directory<Photo>, _ id: UUID, into kept: Directory<Photo>,
        _ record: () -> Void
    ) throws {
        do {
            try waiting { try photos.transfer([id], to: kept) }
        } catch let error as DirectoryError where isFinal(error) {
            return try waiting { try photos.remove(id: id) }
        }
        record()
    }

    /// Removes the project with `id` so that `undo` can bring it back, and records that.
    private static func remove(
        from projects: Directory<Project>, _ id: UUID, into kept: Directory<Project>,
        _ record: () -> Void
    ) throws {
        do {
            try waiting { try projects.transfer([id], to: kept) }
        } catch let error as DirectoryError where isFinal(error) {
            return try waiting { try projects.remove(id: id) }
        }
        record()
    }

    private static func isFinal(_ error: DirectoryError) -> Bool {
        [.noSpace, .assetMissing].contains(error.code)
    }
}
