import Directory
import DirectoryReplicas
import Foundation

/// A container that has notes and photos: a project, or an album in it.
struct Shelf: Equatable {
    let project: UUID
    let album: UUID?

    init(_ project: UUID, album: UUID? = nil) { (self.project, self.album) = (project, album) }

    var id: UUID { album ?? project }

    var reference: ItemReference {
        ItemReference(album == nil ? "projects" : "projects/albums", .uuid(id))
    }
}

extension TestDevice {
    /// The loaded projects, each followed by its albums.
    var shelves: [Shelf] {
        get throws { try projects.items.flatMap { try shelves(of: $0.id) } }
    }

    /// The project, and its albums.
    func shelves(of project: UUID) throws -> [Shelf] {
        try [Shelf(project)] + albums(project).loaded().map { Shelf(project, album: $0.id) }
    }

    func notes(_ shelf: Shelf) throws -> Directory<Note> {
        guard let album = shelf.album else { return try notes(shelf.project) }
        return try albums(shelf.project).child(.notes, of: album)
    }

    func photos(_ shelf: Shelf) throws -> Directory<Photo> {
        guard let album = shelf.album else { return try photos(shelf.project) }
        return try albums(shelf.project).child(.photos, of: album)
    }
}
