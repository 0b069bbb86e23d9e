import FileSystem
import StoreModel
import TestSupport

/// The photographs in a folder, the indexes that other programs edit, and what is temporary.
struct Found {
    private(set) var photos: [String] = []
    private(set) var indexes: [(folder: String, index: FileName)] = []
    private(set) var leftovers: [String] = []

    init(below path: String, on disk: MemoryFileSystem) throws {
        try add(disk.openFolder(at: path), on: disk)
    }

    private mutating func add(_ folder: Handle, on disk: MemoryFileSystem) throws {
        for name in try disk.list(folder) {
            let ending = name.string.split(separator: ".").last
            let isTemporary = [".staging", ".trash"].contains(name.string)
            if ["notes.json", "projects.json"].contains(name), !folder.path.contains("/.") {
                indexes.append((folder.path, name))
            }
            if isTemporary || ["tmp", "recovered"].contains(ending) {
                leftovers.append("\(folder.path(of: name))")
            }
            if try disk.status(of: name, in: folder)?.kind == .folder {
                // What was removed recently can come back.
                if name.string == ".removed" { continue }
                try add(disk.openFolder(name, in: folder), on: disk)
            } else if let bytes = try disk.readAll(name, in: folder),
                let file = Photograph.file(of: bytes)
            {
                photos.append(file)
            }
        }
    }
}
