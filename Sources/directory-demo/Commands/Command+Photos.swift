import Directory
import Foundation

extension Command {
    static let photos = Command(
        name: "photos", operands: "[NAME]", flags: [.json], summary: "Show the photos of a project."
    ) { call in
        let last = call.isDefaultStore ? Settings().project : nil
        guard let name = call.operands.first ?? last else {
            throw Failure(.operation, "no project was used before; give a NAME")
        }
        let project = try call.store.project(named: name)
        let photos = try call.store.open(.photos, of: project)
        let rows = try photos.items.map { photo in
            PhotoRow(
                id: photo.id, name: photo.name, path: try path(of: photo, in: photos, of: project),
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
        /// The path of its file, relative to the store; the file may be missing.
        let path: String
        let byteCount: Int
    }

    private static func path(
        of photo: Photo, in photos: Directory<Photo>, of project: Project
    ) throws -> String {
        do {
            return try photos.url(of: photo.id).pathComponents.suffix(3).joined(separator: "/")
        } catch let error as DirectoryError where error.code == .assetMissing {
            return "\(project.folderName)/photos/\(photo.fileName)"
        }
    }
}

extension Command {
    static let move = Command(
        name: "move", operands: "NAME PHOTO OTHER", summary: "Move a photo to another project."
    ) { call in
        let project = try call.store.project(named: call.operands[0])
        let other = try call.store.project(named: call.operands[2])
        guard project.id != other.id else {
            throw Failure(.operation, "the photo is already in \(project.name)")
        }
        let source = try call.store.open(.photos, of: project)
        let target = try call.store.open(.photos, of: other)
        let photo = try source.photo(call.operands[1])
        try source.transfer([photo.id], to: target)
        try source.close()
        try target.close()
        print("Moved \(photo.name.styled(.bold)) from \(project.name.printable)", terminator: "")
        print(" to \(other.name.styled(.bold))")
    }

    static let remove = Command(
        name: "remove", operands: "NAME [PHOTO]", summary: "Remove a photo or a whole project."
    ) { call in
        let project = try call.store.project(named: call.operands[0])
        if let key = call.operands.dropFirst().first {
            let photos = try call.store.open(.photos, of: project)
            let photo = try photos.photo(key)
            try photos.remove(id: photo.id)
            try photos.close()
            print("Removed \(photo.name.styled(.bold)) from \(project.name.printable)")
        } else {
            try call.store.projects.remove(id: project.id)
            try call.store.projects.close()
            if call.isDefaultStore, Settings().project == project.name { Settings().project = nil }
            print("Removed \(project.name.styled(.bold)) and its folder")
        }
    }
}
