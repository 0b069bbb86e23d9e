import Directory
import Foundation

/// A project: its folder holds its photos and notes.
struct Project: Container, Equatable {
    var id = UUID()
    var name: String
    var folderName: String
}

extension Project {
    /// Makes a project whose folder is named after it.
    init(named name: String, in projects: Directory<Project>) throws {
        self.init(name: name, folderName: try projects.freeFolderName(for: "Project_\(name)"))
    }

    /// Gives the project another name, and a folder name made of it.
    mutating func rename(to name: String, in projects: Directory<Project>) throws {
        folderName = try projects.freeFolderName(for: "Project_\(name)", of: id)
        self.name = name
    }

    /// Checks that `name` has characters that people can see.
    static func check(_ name: String) throws {
        if name.allSatisfy(\.isWhitespace) { throw Failure("a project needs a name") }
    }
}

/// A line of text about a project.
struct Note: Codable, Equatable, Identifiable, Sendable {
    var id = UUID()
    var text: String
}

extension Child where Item == Note {
    static let notes = Child("notes")
}

extension String {
    /// The name, with `mark` at its end as often as makes it none of `names`.
    func unused(_ mark: String, _ names: some Sequence<String>) -> String {
        names.contains(self) ? (self + mark).unused(mark, names) : self
    }
}

extension Directory<Photo> {
    /// The photo with the id `key`, or the only photo whose file had the name `key`.
    func photo(_ key: String) throws -> Photo {
        if let id = UUID(uuidString: key), let photo = items[id: id] { return photo }
        let matches = items.filter { $0.name == key }
        guard let match = matches.first else { throw Failure("there is no photo \(key)") }
        guard matches.count == 1 else {
            let ids = matches.map(\.id.uuidString).joined(separator: ", ")
            throw Failure("\(matches.count) photos are called \(key), with ids \(ids)")
        }
        return match
    }

    /// The file of `photo`; nil if it is missing.
    func file(of photo: Photo) throws -> URL? {
        do {
            return try url(of: photo.id)
        } catch let error as DirectoryError where error.code == .assetMissing {
            return nil
        }
    }
}
