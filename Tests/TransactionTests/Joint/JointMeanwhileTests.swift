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
    @Test func aCollectionThatGotItsNewLinesShowsThemIfTheWriteCannotBeEnded() throws {
        let store = try JointStore()
        let boxes = try store.boxes(on: JointKill.decided.process)
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
