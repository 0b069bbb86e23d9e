import Directory
import Foundation

extension Command {
    @Sendable static func remove(_ call: Call) throws {
        let project = try call.project
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
        try photos.changing { _ = try $0.remove(id: photo.id) }
        call.store.record(
            "remove \(photo.name) from \(project.name)",
            .removedPhoto(photo.id, in: project.id))
        call.say("Removed \(place)")
    }

    private static func remove(_ project: Project, _ call: Call) throws {
        let contents = describe(project, call)
        if call.has(.dryRun) { return print("Would remove \(contents.printable)") }
        if !call.has(.force) { try confirm(contents) }
        try call.store.projects.changing { _ = try $0.remove(id: project.id) }
        call.store.record("remove \(project.name)", .removedProject(project.id))
        if call.isDefaultStore, Settings().project == project.name { Settings().project = nil }
        // A link or a file that replaced the folder does not belong to the project, so it stays.
        let folder = call.store.folder.appending(path: project.folderName)
        var status = stat()
        let isGone = lstat(folder.path(percentEncoded: false), &status) != 0
        let path = folder.relativePath.printable
        let rest = isGone ? " and its folder" : ", but not \(path), which is not a folder"
        call.say("Removed \(project.name.styled(.bold))\(rest)")
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

    /// - Throws: ``Failure`` unless the user says yes.
    private static func confirm(_ contents: String) throws {
        guard Terminal.canAsk else {
            throw Failure("this would remove \(contents)", hint: "Use --force to do it.")
        }
        guard Terminal.confirm("Remove \(contents)?") else {
            throw Failure("nothing was removed")
        }
    }
}
