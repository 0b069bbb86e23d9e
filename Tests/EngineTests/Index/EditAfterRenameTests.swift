import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Another program edits the index just after this process has renamed a new one into place.
struct EditAfterRenameTests {
    let sandbox: Sandbox
    private let interruption = Interruption()
    private let process: ProcessFileSystem
    private static let edit = "[{\"id\":1,\"title\":\"Ham\"}]"

    init() throws {
        sandbox = try Sandbox()
        // The folder is synced right after the rename.
        process = interruption.process(
            beforeCall: "sync", "/\(sandbox.url.lastPathComponent)/")
    }

    private func editNext(_ isAtomic: Bool) {
        let url = sandbox.url("notes.json")
        interruption.set {
            try Data(Self.edit.utf8).write(to: url, options: isAtomic ? .atomic : [])
        }
    }

    @Test(arguments: [true, false]) func editAfterOurRenameIsKept(_ isAtomic: Bool) throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", on: process)
        try notes.append(.eggs)
        editNext(isAtomic)
        try notes.update(id: 1) { $0.title = "Jam" }
        #expect(interruption.hasRun)
        try notes.append(.milk)
        #expect(try sandbox.notesOnDisk() == [Note(id: 1, title: "Ham"), .milk])
        #expect(Array(notes.items) == [Note(id: 1, title: "Ham"), .milk])
    }

    @Test(arguments: [true, false]) func editAfterACheckpointRenamedTheIndexIsKept(_ isAtomic: Bool)
        throws
    {
        let notes = try sandbox.journaledNotes(on: process)
        try notes.append(.eggs)
        try notes.append(.milk)
        editNext(isAtomic)
        try notes.checkpoint()
        #expect(interruption.hasRun)
        try notes.load()
        #expect(Array(notes.items) == [Note(id: 1, title: "Ham")])
        try notes.append(.salt)
        #expect(try sandbox.notesOnDisk() == [Note(id: 1, title: "Ham"), .salt])
    }

    @Test(arguments: [true, false]) func editWhileTheFirstRecordIsWrittenIsReported(
        _ isAtomic: Bool
    ) throws {
        let notes = try sandbox.journaledNotes(on: process)
        try notes.append(.eggs)
        editNext(isAtomic)
        try notes.append(.milk)
        #expect(interruption.hasRun)
        expectError(.indexConflict) { try notes.append(.salt) }
        #expect(try sandbox.text("notes.json") == Self.edit)
    }

    /// The first record must not be made for an index that this process has not read.
    @Test func editBeforeTheFirstRecordIsNotTakenForItsBase() throws {
        let url = sandbox.url("notes.json")
        let isReading = Atomic(false)
        let editing = ProcessFileSystem(LocalFileSystem()) { _, call in
            // The commit reads the index once more, for the base of the journal.
            if isReading.load(ordering: .relaxed), call == "open \(url.path)" {
                isReading.store(false, ordering: .relaxed)
                #expect(throws: Never.self) { try Data(Self.edit.utf8).write(to: url) }
            }
            return .works
        }
        let notes = try sandbox.journaledNotes(on: editing)
        try notes.append(contentsOf: [.eggs, .milk])
        try notes.load()
        expectError(.indexConflict) {
            try notes.write { draft in
                try draft.append(.salt)
                isReading.store(true, ordering: .relaxed)
            }
        }
        let hasRead = !isReading.load(ordering: .relaxed)
        #expect(hasRead)
        #expect(try sandbox.text("notes.json") == Self.edit)
        try notes.append(.salt)
        #expect(try sandbox.notesOnDisk() == [Note(id: 1, title: "Ham"), .salt])
    }
}
