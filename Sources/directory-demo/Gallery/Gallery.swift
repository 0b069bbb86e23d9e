import Directory
import Foundation

/// One page of HTML with all photos and notes of a store, which needs no other file.
struct Gallery {
    /// A project with what the page shows of it.
    struct Album {
        let name: String
        let notes: [String]
        let photos: [Picture]
    }

    struct Picture {
        let name: String
        let date: Date
        let byteCount: Int
        /// The bytes of its file; nil if the file is missing.
        let data: Data?
    }

    let title: String
    let albums: [Album]
    /// Why the page lacks the projects that cannot be read.
    let failures: [Failure]

    /// What tells that a file is a gallery, which another gallery may replace.
    static let mark = "<meta name=\"generator\" content=\"directory-demo\">"

    /// Reads the photos and notes of each project of `store` that can be read.
    init(of store: Store) {
        title = store.folder.lastPathComponent
        (albums, failures) = store.forEachProject { project in
            let photos = try store.open(.photos, of: project)
            return Album(
                name: project.name,
                notes: try store.open(.notes, of: project).items.map(\.text),
                photos: try photos.items.map { try Picture($0, in: photos) })
        }
    }
}

extension Gallery.Picture {
    init(_ photo: Photo, in photos: Directory<Photo>) throws {
        (name, date, byteCount) = (photo.name, photo.date, photo.byteCount)
        data = try photos.unlessMissing { try $0.data(of: photo.id) }
    }
}
