import Directory
package import FileSystem
import TestSupport

extension Store {
    /// A disk that holds `contents` and nothing unfinished, for a process that commits in `mode`.
    package static func disk(holding contents: StoreContents, _ mode: CommitMode) throws
        -> MemoryFileSystem.Image
    {
        let disk = MemoryFileSystem()
        try fill(disk, with: mode.startsWithJournals ? contents.beforeJournals : contents)
        if mode.startsWithJournals { try addJournals(to: disk, making: contents) }
        return disk.image
    }

    private static func fill(_ disk: MemoryFileSystem, with contents: StoreContents) throws {
        let store = try Store(on: ProcessFileSystem(disk), .rewrite)
        try store.notes.append(contentsOf: contents.notes)
        try store.boxes.append(contentsOf: contents.boxes.map(\.box))
        for stored in contents.boxes {
            let album = try store.album(of: stored.box)
            for photo in stored.photos { try album.insert(photo.bytes, name: photo.name) }
        }
        try store.checkpoint()
    }

    /// Leaves a journal beside each index that has items, as a process that is killed does.
    private static func addJournals(to disk: MemoryFileSystem, making contents: StoreContents)
        throws
    {
        let process = ProcessFileSystem(disk)
        let store = try Store(on: process, .journal)
        try store.notes.load()
        try store.notes.update(contents.notes[0])
        try store.boxes.load()
        try store.boxes.move(fromOffsets: [contents.boxes.count - 1], toOffset: 0)
        for stored in contents.boxes {
            let album = try store.album(of: stored.box)
            try album.load()
            for (expected, photo) in zip(stored.photos, album.items) {
                var photo = photo
                photo.name = expected.name
                try album.update(photo)
            }
        }
        process.kill()
    }
}

extension MemoryFileSystem.Image {
    /// The names of files that an interrupted transaction left and that no recovery removed.
    ///
    /// A stage without an intent is not among them: it may belong to a process that still runs.
    package var leftovers: [String] {
        var trash: [UInt64] = []
        var found: [String] = []
        for case .folder(let entries) in contents.values {
            for (name, inode) in entries {
                if name.string == ".trash" { trash.append(inode) }
                if name.string == "intent" || name.string.hasSuffix(".tmp") {
                    found.append(name.string)
                }
            }
        }
        for inode in trash {
            if case .folder(let entries)? = contents[inode] { found += entries.keys.map(\.string) }
        }
        return found
    }
}
