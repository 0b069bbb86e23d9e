import Directory
import Foundation

extension Command {
    static let export = Command(
        "export", "NAME DIR", "Copy photos and notes to DIR.",
        "All files are copied or none; nothing is overwritten."
    ) { call in
        let folder = try URL(call.operands[1], of: "folder", directoryHint: .isDirectory)
        let project = try call.project
        let photos = try call.store.open(.photos, of: project)
        let notes = try call.store.open(.notes, of: project).items
        // A missing file is an error before the first file is written.
        var files = try photos.items.map { photo in
            ExportedFile(name: photo.name, bytes: .at(try photos.url(of: photo.id)))
        }
        if !notes.isEmpty {
            let lines = notes.map { "\($0.text)\n" }
            files.append(.init(name: "notes.txt", bytes: .text(lines.joined())))
        }
        let names = try await Interrupt.cancelling { [files] in
            try await ExportedFile.export(files, to: folder)
        }
        for name in names { call.say(folder.appending(path: name).relativePath.styled(.blue)) }
        call.say("Exported \(photos.count.of("photo")), \(notes.count.of("note"))")
    }
}
