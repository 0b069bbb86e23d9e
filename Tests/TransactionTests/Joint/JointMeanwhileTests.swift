import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What others do between a write to several collections and what ends or undoes it.
struct JointMeanwhileTests {
    /// A process that is killed after it has renamed something to `name`.
    private func process(killedAfterRenameTo name: String) -> ProcessFileSystem {
        let isOver = Mutex(false)
        return ProcessFileSystem(LocalFileSystem()) { _, line in
            isOver.withLock { isOver in
                defer {
                    let isRename = line.hasPrefix("rename ") && line.hasSuffix("/\(name)")
                    isOver = isOver || isRename
                }
                return isOver ? .killed : .works
            }
        }
    }

    @Test func aCollectionThatGotItsNewLinesShowsThemIfTheWriteCannotBeEnded() throws {
        let store = try JointStore()
        let boxes = try store.boxes(on: process(killedAfterRenameTo: "photos.json"))
        #expect(throws: (any Error).self) {
            try boxes.write { draft in
                try draft.update(id: 1) { $0.folderName = "Other" }
                try draft.write(.notes, of: 1) { try $0.append(.salt) }
                try draft.write(.photos, of: 1) { photos in photos.removeAll { _ in true } }
            }
        }
        try store.sandbox.write("[\n{\"id\":7,\"title\":\"Edited\"}\n]\n", to: "Other/notes.json")
        let next = try store.boxes()
        try next.load()
        #expect(next.items.map(\.folderName) == ["Other", "Two"])
        #expect(try store.boxes().named == ["Other", "Two"])
    }
}

extension Directory<Box> {
    /// The names of the folders, as they are read.
    fileprivate var named: [String] {
        get throws {
            try load()
            return items.map(\.folderName)
        }
    }
}
