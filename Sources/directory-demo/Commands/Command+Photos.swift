import Directory
import Foundation

extension Command {
    static let photos = Command(
        "photos", "[NAME]", options: [.json, .absolute], "Show the photos of a project.",
        """
        Without NAME, of the project that was used last in the default store. Paths
        are relative to the store, unless they are absolute.
        """
    ) { call in
        guard let name = call.operands.first ?? call.lastProject else {
            throw Failure("no project was used before; give a NAME")
        }
        let project = try call.store.project(named: name)
        let photos = try call.store.open(.photos, of: project)
        let rows = photos.items.map { photo in
            let path = "\(project.folderName)/photos/\(photo.fileName)"
            let url = call.store.folder.absoluteURL.appending(path: path).standardizedFileURL
            return PhotoRow(
                id: photo.id, name: photo.name, path: call.has(.absolute) ? url.path : path,
                byteCount: photo.byteCount)
        }
        try call.show(
            rows, name: \.name, emptyText: "\(project.name.styled(.bold)) has no photos"
        ) { row in
            "\(row.byteCount.asBytes.rightAligned(to: 9))  \(row.path.styled(.blue))"
        }
    }

    /// A photo as `photos` shows it.
    private struct PhotoRow: Encodable {
        let id: UUID
        let name: String
        /// The path of its file, relative to the store or absolute; the file may be missing.
        let path: String
        let byteCount: Int
    }

    static let move = Command(
        "move", "NAME PHOTO OTHER", "Move a photo to another project.",
        "PHOTO is an id, or the name that the file had."
    ) { call in
        let project = try call.project
        let other = try call.store.project(named: call.operands[2])
        guard project.id != other.id else {
            throw Failure("the photo is already in \(project.name)")
        }
        let source = try call.store.open(.photos, of: project)
        let target = try call.store.open(.photos, of: other)
        let photo = try source.photo(call.operands[1])
        let position = source.items.index(of: photo.id) ?? 0
        try source.changing { try $0.transfer([photo.id], to: target) }
        try await target.close()
        call.store.record(
            "move \(photo.name) from \(project.name) to \(other.name)",
            .moved(photo, at: position, from: project.id, to: other.id))
        let names = "from \(project.name.printable) to \(other.name.styled(.bold))"
        call.say("Moved \(photo.name.styled(.bold)) \(names)")
    }
}
