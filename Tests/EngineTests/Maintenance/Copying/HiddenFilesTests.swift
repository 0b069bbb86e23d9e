import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A copy from which a tool has left out the hidden files, as many tools do, is not an earlier state.
struct HiddenFilesTests {
    private let sandbox: Sandbox
    private let notes = (10..<20).map { Note($0) }

    init() throws { sandbox = try Sandbox() }

    private func boxes(_ path: String) throws -> Directory<Box> {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        return try Directory(
            at: sandbox.url(path), index: "boxes.json", options: options,
            on: ProcessFileSystem(LocalFileSystem()))
    }

    /// Two boxes in `store`; their index, and that of the notes in the first one, have journals, until they are released.
    private func makeStore() throws -> (boxes: Directory<Box>, notes: Directory<Note>) {
        let boxes = try boxes("store")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.append(Box(id: 2, folderName: "Two"))
        let child = try boxes.child(.notes, of: 1)
        for note in notes { try child.append(note) }
        try boxes.child(.photos, of: 2).insert(Data("a photo".utf8))
        try sandbox.write("a guide", to: "store/Two/guide.txt")
        try #require(sandbox.exists("store/.boxes.journal"))
        try #require(sandbox.exists("store/One/.notes.journal"))
        return (boxes, child)
    }

    /// Copies `copy` as `cp -R copy/*` would, and all folders inside it too: without hidden files.
    private func copyVisible(to path: String) throws {
        for inner in try sandbox.tree("copy").keys.sorted() {
            if inner.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
            if case .file = try sandbox.tree("copy")[inner] {
                try sandbox.copy("copy/\(inner)", to: "\(path)/\(inner)")
            } else {
                try sandbox.makeFolder("\(path)/\(inner)")
            }
        }
    }

    @Test func copiesAndArchivesHaveNoJournals() throws {
        let store = try makeStore()
        try store.boxes.copy(to: sandbox.url("copy"))
        try store.boxes.archive(to: sandbox.url("copy.zip"))
        #expect(try sandbox.tree("copy").keys.filter { $0.hasSuffix(".journal") } == [])
        let zip = String(decoding: try sandbox.bytes("copy.zip"), as: UTF8.self)
        #expect(zip.contains("notes.json") && !zip.contains(".journal"))
        #expect(try sandbox.boxes("copy").notes(of: 1) == notes)
        let restored = try self.boxes("restored")
        try restored.restore(from: sandbox.url("copy.zip"))
        #expect(restored.count == 2)
        #expect(try restored.notes(of: 1) == notes)
    }

    @Test func aCopyWithoutItsHiddenFilesIsComplete() throws {
        let store = try makeStore()
        try store.boxes.copy(to: sandbox.url("copy"))
        try copyVisible(to: "visible")
        let restored = try boxes("restored")
        try restored.restore(from: sandbox.url("visible"))
        #expect(restored.count == 2)
        #expect(try restored.notes(of: 1) == notes)
    }

    /// The earlier copy and its files stay as they are until the new one is complete.
    @Test func copiesToTheSamePlaceFollowTheJournal() throws {
        let store = try makeStore()
        for count in 1...3 {
            try store.notes.append(Note(100 + count))
            try store.boxes.copy(to: sandbox.url("copy"))
            let copy = try boxes("copy")
            try copy.load()
            #expect(try copy.notes(of: 1) == Array(store.notes.items))
        }
        #expect(try store.notes.verify() == [])
    }

    @Test func aJournalThatCannotBeReadStaysInTheCopyAndIsMissed() throws {
        let store = try makeStore()
        var journal = try sandbox.bytes("store/One/.notes.journal")
        journal[10] ^= 1
        try sandbox.write(journal, to: "store/One/.notes.journal")
        try store.boxes.copy(to: sandbox.url("copy"))
        #expect(try sandbox.bytes("copy/One/.notes.journal") == journal)
        let restored = try self.boxes("restored")
        expectError(.damagedCopy) { try restored.restore(from: sandbox.url("copy")) }
        try sandbox.remove("copy/One/.notes.journal")
        expectError(.damagedCopy) { try restored.restore(from: sandbox.url("copy")) }
    }

    @Test(arguments: ["Two/guide.txt", "Two/photos.json", "One"])
    func whatIsMissingInACopyIsMissed(_ path: String) throws {
        let store = try makeStore()
        try store.boxes.copy(to: sandbox.url("copy"))
        try sandbox.remove("copy/\(path)")
        let error = expectError(.damagedCopy) {
            try self.boxes("restored").restore(from: sandbox.url("copy"))
        }
        #expect(error?.reason.contains("copy/\(path)") == true)
    }

    /// What a change of the copy has removed is not missed.
    @Test(arguments: Sweep.cases([true, false], sample: 1))
    func aCopyFromWhichAPhotoWasRemovedIsRestored(_ isDeep: Bool)
        throws
    {
        let store = try makeStore()
        try sandbox.write("mine", to: "store/Two/Papers/letter.txt")
        try store.boxes.copy(to: sandbox.url("copy"))
        let copy = try boxes("copy")
        let photos = try copy.child(.photos, of: 2)
        try photos.load()
        try photos.remove(ids: photos.items.map(\.id))
        if isDeep { try sandbox.remove("copy/Two/Papers/letter.txt") }
        try photos.close()
        try copy.close()
        let restored = try boxes("restored")
        try restored.restore(from: sandbox.url("copy"))
        #expect(try restored.child(.photos, of: 2).loaded().isEmpty)
        #expect(try restored.notes(of: 1) == notes)
    }

    @Test func aCopyFromWhichAContainerWasRemovedIsRestored() throws {
        let store = try makeStore()
        let parts = try store.boxes.child(.parts, of: 1)
        try parts.append(Box(id: 7, folderName: "Part"))
        try parts.child(.notes, of: 7).append(.salt)
        try store.boxes.copy(to: sandbox.url("copy"))
        // The index of the notes beside the folder stays as it is.
        let copy = try sandbox.boxes("copy").child(.parts, of: 1)
        try copy.remove(id: 7)
        try copy.close()
        #expect(!sandbox.exists("copy/One/Part"))
        let restored = try boxes("restored")
        try restored.restore(from: sandbox.url("copy"))
        #expect(try restored.child(.parts, of: 1).loaded().isEmpty)
        #expect(try restored.notes(of: 1) == notes)
    }

    /// Makes a copy with the folder of a transaction, which a process left when it died.
    private func makeUnfinishedCopy() throws {
        let store = try makeStore()
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("rename ") && call.contains("/Two/photos/") ? .killed : .works
        }
        let killed = try Directory<Box>(at: sandbox.url("store"), index: "boxes.json", on: process)
        #expect(throws: (any Error).self) {
            try killed.child(.photos, of: 2).insert(Data("another".utf8))
        }
        try #require(sandbox.exists("store/Two/.staging"))
        try store.boxes.copy(to: sandbox.url("copy"))
        try #require(sandbox.exists("copy/Two/.staging"))
    }

    /// That folder is hidden too.
    @Test(arguments: [true, false]) func unfinishedChangesInACopyAreMissed(_ isStripped: Bool)
        throws
    {
        try makeUnfinishedCopy()
        let restored = try self.boxes("restored")
        if isStripped {
            try sandbox.remove("copy/Two/.staging")
            expectError(.damagedCopy) { try restored.restore(from: sandbox.url("copy")) }
        } else {
            try restored.restore(from: sandbox.url("copy"))
            #expect(try restored.child(.photos, of: 2).loaded().count == 1)
        }
    }

    @Test func unfinishedChangesThatSomebodyHasEndedAreNotMissed() throws {
        try makeUnfinishedCopy()
        let photos = try sandbox.boxes("copy").child(.photos, of: 2)
        // Recovers, with the lock.
        try photos.load()
        try #require(!sandbox.exists("copy/Two/.staging"))
        let restored = try self.boxes("restored")
        try restored.restore(from: sandbox.url("copy"))
        #expect(try restored.child(.photos, of: 2).loaded().count == 1)
    }
}
