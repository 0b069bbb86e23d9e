import Directory
import Foundation

extension Command {
    static let remove = Command(
        "remove", "NAME [PHOTO]", options: [.force, .dryRun], "Remove a photo or a whole project.",
        """
        PHOTO is an id, or the name that the file had. Before a whole project is
        removed, the demo asks on a terminal, and needs --force elsewhere. "undo"
        and "bring-back" bring back what was removed.
        """
    ) { call in
        let project = try call.project
        if let key = call.operands.dropFirst().first {
            try removePhoto(key, from: project, call)
        } else {
            try removeProject(project, call)
        }
    }

    private static func removePhoto(_ key: String, from project: Project, _ call: Call) throws {
        let photos = try call.store.open(.photos, of: project)
        let photo = try photos.photo(key)
        let place = "\(photo.name.styled(.bold)) from \(project.name.printable)"
        if call.has(.dryRun) { return print("Would remove \(place)") }
        try photos.changing { _ = try $0.remove(id: photo.id) }
        call.store.record(
            "remove \(photo.name) from \(project.name)",
            .photos(Edit(before: [photo]), of: project.id))
        call.say("Removed \(place)")
    }

    private static func removeProject(_ project: Project, _ call: Call) throws {
        let contents = describe(project, call)
        if call.has(.dryRun) { return print("Would remove \(contents.printable)") }
        if !call.has(.force) {
            guard Terminal.canAsk else {
                throw Failure("this would remove \(contents)", hint: "Use --force to do it.")
            }
            guard Terminal.confirm("Remove \(contents)?") else {
                throw Failure("nothing was removed")
            }
        }
        try call.store.projects.changing { _ = try $0.remove(id: project.id) }
        call.store.record("remove \(project.name)", .projects(Edit(before: [project])))
        if call.lastProject == project.name { call.lastProject = nil }
        call.say("Removed \(project.name.styled(.bold))")
    }

    /// The project with the numbers of its photos and notes, if these can be read.
    private static func describe(_ project: Project, _ call: Call) -> String {
        do {
            let photos = try call.store.open(.photos, of: project).count.of("photo")
            let notes = try call.store.open(.notes, of: project).count.of("note")
            return "\(project.name) with \(photos) and \(notes)"
        } catch {
            // With --force nobody is asked, so nobody needs the reason.
            if !call.has(.force) { Output.report(Failure(error).message) }
            return "\(project.name), which cannot be read"
        }
    }
}
