import Directory
import Foundation

extension Command {
    @Sendable static func export(_ call: Call) async throws {
        let folder = try URL(call.operands[1], of: "folder", directoryHint: .isDirectory)
        let project = try call.project
        let photos = try call.store.open(.photos, of: project)
        let notes = try call.store.open(.notes, of: project).items
        // A missing file is an error before the first file is written.
        var files = try photos.items.map { photo in
            Exporter.File(name: exportName(of: photo), bytes: .at(try file(of: photo, in: photos)))
        }
        if !notes.isEmpty {
            let lines = notes.map { "\($0.text)\n" }
            files.append(.init(name: "notes.txt", bytes: .text(lines.joined())))
        }
        for name in try await Exporter(to: folder).run(files) {
            call.say(folder.appending(path: name).relativePath.styled(.blue))
        }
        call.say("Exported \(photos.count.of("photo")), \(notes.count.of("note"))")
    }

    private static func file(of photo: Photo, in photos: Directory<Photo>) throws -> URL {
        if let file = try photos.unlessMissing({ try $0.url(of: photo.id) }) { return file }
        throw Failure(
            "the file of \(photo.name) is missing; nothing was exported",
            hint: "See: directory-demo verify")
    }

    /// The name that the imported file had, or the name of the asset if that name is invalid.
    private static func exportName(of photo: Photo) -> String {
        let isFileName =
            !["", ".", ".."].contains(photo.name) && !photo.name.contains { "/\0".contains($0) }
        return isFileName ? photo.name : photo.fileName
    }
}
