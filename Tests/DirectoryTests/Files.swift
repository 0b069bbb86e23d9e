import Directory
import Foundation
import TestSupport

/// The same record as ``Note`` under another type: it has a live core of its own, so opening a
/// collection of these is what another process sees.
struct OtherNote: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var title: String

    static let pears = OtherNote(id: 7, title: "Pears")
    static let rice = OtherNote(id: 8, title: "Rice")
}

extension Note: Comparable {
    static func < (left: Note, right: Note) -> Bool { left.title < right.title }
}

extension TemporaryFolder {
    /// The URL of the file or folder at `path` inside this folder.
    func file(_ path: String) -> URL { url.appending(path: path) }

    func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: file(path)), as: UTF8.self)
    }

    /// Writes the bytes of `text` in place, as an editor does.
    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: file(path))
    }

    /// Everything that lies in this folder, at any depth.
    func tree() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
    }

    /// What another process reads from the index now.
    func notesOnDisk(_ index: String = "notes.json") throws -> [Note] {
        let notes = try Directory<OtherNote>(at: url, index: index)
        try notes.load()
        return notes.items.map { Note(id: $0.id, title: $0.title) }
    }
}

extension AsyncSequence where Failure == Never {
    /// The first `count` elements, fewer where the sequence ends before.
    func first(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        for await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}

/// A container as the seed library has it: it knows where it lies.
struct Album: PlacedContainer, Hashable {
    var id = UUID()
    var name: String
    var parent: URL
    var folderName: String { name }
}
