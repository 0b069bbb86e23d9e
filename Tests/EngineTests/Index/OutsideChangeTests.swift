import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Changes that other programs make to the index and its folder while a collection is open.
struct OutsideChangeTests {
    let sandbox: Sandbox
    let notes: Directory<Note>

    init() throws {
        sandbox = try Sandbox()
        notes = try Directory(
            at: sandbox.url, index: "notes.json", options: .init(filePermissions: 0o644))
        try notes.append(.eggs)
    }

    /// A collection of the same index that has not read it.
    private func unread() throws -> Directory<OtherNote> {
        try Directory(at: sandbox.url, index: "notes.json")
    }

    @Test func outsideEditBetweenTwoChangesIsKept() throws {
        for id in 10..<30 {
            let text = try sandbox.text("notes.json")
            let line = "{\"id\":\(id),\"title\":\"x\"}"
            try sandbox.write(text.replacing("\n]", with: ",\n\(line)]"), to: "notes.json")
            try notes.append(Note(id: id + 100, title: "y"))
        }
        let ids = [1] + (10..<30).flatMap { [$0, $0 + 100] }
        #expect(notes.items.map(\.id) == ids)
        #expect(try sandbox.notesOnDisk().map(\.id) == ids)
    }

    @Test func outsideEditOfTheSameLengthIsKept() throws {
        for title in ["Figs", "Dill", "Rice", "Eggs", "Peas"] {
            let text = try sandbox.text("notes.json")
            try sandbox.write(
                text.replacing(/"title":"...."/, with: "\"title\":\"\(title)\""), to: "notes.json")
            try notes.write { draft in
                #expect(draft[id: 1]?.title == title)
                try draft.move(fromOffsets: [], toOffset: 0)
            }
            #expect(notes[id: 1]?.title == title)
        }
    }

    @Test func loadReadsAnOutsideEdit() throws {
        try sandbox.write("[{\"id\":3,\"title\":\"Salt\"}]", to: "notes.json")
        #expect(Array(notes.items) == [.eggs])
        try notes.load()
        #expect(Array(notes.items) == [.salt])
    }

    @Test func removedIndexIsAnEmptyCollection() throws {
        try sandbox.remove("notes.json")
        try notes.append(.milk)
        #expect(try sandbox.notesOnDisk() == [.milk])
    }

    @Test func folderInPlaceOfTheIndexIsAnErrorAndStays() throws {
        try sandbox.remove("notes.json")
        try sandbox.makeFolder("notes.json/inner")
        expectError(.ioFailure) { try notes.append(.milk) }
        expectError(.ioFailure) { try unread().load() }
        #expect(sandbox.exists("notes.json/inner"))
    }

    @Test func linkInPlaceOfTheIndexIsAnErrorAndStays() throws {
        try sandbox.move("notes.json", to: "else.json")
        try sandbox.makeSymbolicLink("notes.json", to: sandbox.url("else.json"))
        let bytes = try sandbox.text("else.json")
        expectError(.ioFailure) { try notes.append(.milk) }
        expectError(.ioFailure) { try unread().append(.rice) }
        #expect(try sandbox.text("else.json") == bytes)
        #expect(sandbox.status("notes.json")?.kind == .symbolicLink)
    }

    @Test func danglingLinkInPlaceOfTheIndexIsNotAMissingIndex() throws {
        try sandbox.remove("notes.json")
        try sandbox.makeSymbolicLink("notes.json", to: sandbox.url("nowhere.json"))
        expectError(.ioFailure) { try notes.append(.milk) }
        #expect(!sandbox.exists("nowhere.json"))
    }

    @Test func pipeInPlaceOfTheIndexIsAnErrorWithoutWaiting() throws {
        try sandbox.remove("notes.json")
        try sandbox.makePipe("notes.json")
        expectError(.ioFailure) { try notes.append(.milk) }
        expectError(.ioFailure) { try unread().load() }
    }

    @Test func unreadableIndexIsAnErrorAndStays() throws {
        let bytes = try sandbox.text("notes.json")
        try sandbox.setMode(0o777, of: "")
        try sandbox.setMode(0o666, of: ".notes.lock")
        try sandbox.setMode(0o000, of: "notes.json")
        let unread = try unread()
        withoutPrivileges {
            expectError(.accessDenied) { try unread.load() }
            expectError(.accessDenied) { try unread.append(.rice) }
        }
        try sandbox.setMode(0o600, of: "notes.json")
        #expect(try sandbox.text("notes.json") == bytes)
        try unread.append(.rice)
        #expect(unread.items.map(\.id) == [1, 8])
    }

    @Test func readOnlyFolderCanBeReadAndIsNotChanged() throws {
        try sandbox.setMode(0o555, of: "")
        defer { try? sandbox.setMode(0o755, of: "") }
        let tree = try sandbox.paths()
        let bytes = try sandbox.text("notes.json")
        let unread = try unread()
        try withoutPrivileges {
            try unread.load()
            #expect(unread.items.map(\.id) == [1])
            expectError(.accessDenied) { try unread.append(.rice) }
            expectError(.accessDenied) { try notes.append(.milk) }
        }
        #expect(unread.items.map(\.id) == [1])
        #expect(Array(notes.items) == [.eggs])
        #expect(try sandbox.paths() == tree)
        #expect(try sandbox.text("notes.json") == bytes)
    }

    @Test func folderIsMadeBelowAFolderThatCannotBeListed() throws {
        let parent = try sandbox.makeFolder("closed/open")
        try sandbox.setMode(0o777, of: "closed/open")
        try sandbox.setMode(0o711, of: "closed")
        try withoutPrivileges {
            let inner = try Directory<Note>(at: parent.appending(path: "a/b"), index: "notes.json")
            try inner.append(.milk)
        }
        #expect(sandbox.exists("closed/open/a/b/notes.json"))
    }

    @Test func removedFolderIsAnErrorAndIsNotMadeAgain() throws {
        let inner = try Directory<Note>(at: sandbox.url("inner"), index: "notes.json")
        try inner.append(.eggs)
        try sandbox.remove("inner")
        expectError(.containerRemoved) { try inner.append(.milk) }
        expectError(.containerRemoved) { try inner.load() }
        #expect(Array(inner.items) == [.eggs])
        #expect(!sandbox.exists("inner"))
    }

    @Test func fileInPlaceOfTheFolderIsAnError() throws {
        try sandbox.write("", to: "file")
        expectError(.ioFailure) {
            try Directory<Note>(at: sandbox.url("file"), index: "notes.json")
        }
        expectError(.ioFailure) {
            try Directory<Note>(at: sandbox.url("file/inner"), index: "notes.json")
        }
    }

    @Test(arguments: ["", "3\n", "words", "-1\n", "\(Int.max)\n", "\(Int.max - 1)\n", "1e9\n\n"])
    func anyTextInTheLockFileIsAccepted(_ text: String) throws {
        try sandbox.write(text, to: ".notes.lock")
        try notes.append(.milk)
        try sandbox.write(
            "[{\"id\":3,\"title\":\"Salt\"}]", to: "notes.json")
        try notes.append(.milk)
        #expect(try sandbox.notesOnDisk() == [.salt, .milk])
    }
}
