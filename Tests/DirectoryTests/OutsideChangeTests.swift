import Directory
import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What others do to the index and its folder while a collection is open.
@Suite struct OutsideChangeTests {
    let temporary: TemporaryFolder
    let notes: Directory<Note>
    private let files = FileManager.default

    init() throws {
        temporary = try TemporaryFolder()
        notes = try Directory(
            at: temporary.url, index: "notes.json", options: .init(filePermissions: 0o644))
        try notes.append(.eggs)
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: temporary.file(path).path)
    }

    /// A collection of the same index that has read nothing yet.
    private func unread() throws -> Directory<OtherNote> {
        try Directory(at: temporary.url, index: "notes.json")
    }

    @Test func editBetweenTwoChangesIsKept() throws {
        for id in 10..<30 {
            let text = try temporary.text("notes.json")
            let line = "{\"id\":\(id),\"title\":\"x\"}"
            try temporary.write(text.replacing("\n]", with: ",\n\(line)]"), to: "notes.json")
            try notes.append(Note(id: id + 100, title: "y"))
        }
        let ids = [1] + (10..<30).flatMap { [$0, $0 + 100] }
        #expect(notes.items.map(\.id) == ids)
        #expect(try temporary.notesOnDisk().map(\.id) == ids)
    }

    @Test func editOfTheSameLengthIsKept() throws {
        for title in ["Figs", "Dill", "Rice", "Eggs", "Peas"] {
            let text = try temporary.text("notes.json")
            try temporary.write(
                text.replacing(/"title":"...."/, with: "\"title\":\"\(title)\""), to: "notes.json")
            try notes.write { draft in
                #expect(draft[id: 1]?.title == title)
                try draft.move(fromOffsets: [], toOffset: 0)
            }
            #expect(notes[id: 1]?.title == title)
        }
    }

    @Test func editIsPickedUpByLoad() throws {
        try temporary.write("[{\"id\":3,\"title\":\"Salt\"}]", to: "notes.json")
        #expect(Array(notes.items) == [.eggs])
        try notes.load()
        #expect(Array(notes.items) == [.salt])
    }

    @Test func removedIndexIsEmpty() throws {
        try files.removeItem(at: temporary.file("notes.json"))
        try notes.append(.milk)
        #expect(try temporary.notesOnDisk() == [.milk])
    }

    @Test func folderInPlaceOfTheIndexIsAnErrorAndStays() throws {
        try files.removeItem(at: temporary.file("notes.json"))
        try files.createDirectory(
            at: temporary.file("notes.json/inner"), withIntermediateDirectories: true)
        expectError(.ioFailure) { try notes.append(.milk) }
        expectError(.ioFailure) { try unread().load() }
        #expect(try temporary.tree().contains("notes.json/inner"))
    }

    @Test func linkInPlaceOfTheIndexIsAnErrorAndStays() throws {
        try files.moveItem(at: temporary.file("notes.json"), to: temporary.file("else.json"))
        try files.createSymbolicLink(
            atPath: temporary.file("notes.json").path, withDestinationPath: "else.json")
        let bytes = try temporary.text("else.json")
        expectError(.ioFailure) { try notes.append(.milk) }
        expectError(.ioFailure) { try unread().append(.rice) }
        #expect(try temporary.text("else.json") == bytes)
        #expect(
            try files.destinationOfSymbolicLink(atPath: temporary.file("notes.json").path)
                == "else.json")
    }

    @Test func danglingLinkInPlaceOfTheIndexIsNotAMissingIndex() throws {
        try files.removeItem(at: temporary.file("notes.json"))
        try files.createSymbolicLink(
            atPath: temporary.file("notes.json").path, withDestinationPath: "nowhere.json")
        expectError(.ioFailure) { try notes.append(.milk) }
        #expect(try !temporary.tree().contains("nowhere.json"))
    }

    @Test func pipeInPlaceOfTheIndexIsAnErrorAndNotWaitedFor() throws {
        try files.removeItem(at: temporary.file("notes.json"))
        try #require(mkfifo(temporary.file("notes.json").path, 0o600) == 0)
        expectError(.ioFailure) { try notes.append(.milk) }
        expectError(.ioFailure) { try unread().load() }
    }

    @Test func indexWithoutPermissionIsAnErrorAndStays() throws {
        let bytes = try temporary.text("notes.json")
        try setMode(0o777, of: "")
        try setMode(0o666, of: ".notes.lock")
        try setMode(0o000, of: "notes.json")
        let unread = try unread()
        withoutPrivileges {
            expectError(.accessDenied) { try unread.load() }
            expectError(.accessDenied) { try unread.append(.rice) }
        }
        try setMode(0o600, of: "notes.json")
        #expect(try temporary.text("notes.json") == bytes)
        try unread.append(.rice)
        #expect(unread.items.map(\.id) == [1, 8])
    }

    @Test func readOnlyFolderCanBeReadAndStaysAsItIs() throws {
        try setMode(0o555, of: "")
        defer { try? setMode(0o755, of: "") }
        let tree = try temporary.tree()
        let bytes = try temporary.text("notes.json")
        let unread = try unread()
        try withoutPrivileges {
            try unread.load()
            #expect(unread.items.map(\.id) == [1])
            expectError(.accessDenied) { try unread.append(.rice) }
            expectError(.accessDenied) { try notes.append(.milk) }
        }
        #expect(unread.items.map(\.id) == [1])
        #expect(Array(notes.items) == [.eggs])
        #expect(try temporary.tree() == tree)
        #expect(try temporary.text("notes.json") == bytes)
    }

    @Test func folderIsMadeBelowOneThatCannotBeListed() throws {
        let parent = temporary.file("closed/open")
        try files.createDirectory(at: parent, withIntermediateDirectories: true)
        try setMode(0o777, of: "closed/open")
        try setMode(0o711, of: "closed")
        try withoutPrivileges {
            let inner = try Directory<Note>(at: parent.appending(path: "a/b"), index: "notes.json")
            try inner.append(.milk)
        }
        #expect(try temporary.tree().contains("closed/open/a/b/notes.json"))
    }

    @Test func removedFolderIsAnErrorAndIsNotMadeAgain() throws {
        let inner = try Directory<Note>(at: temporary.file("inner"), index: "notes.json")
        try inner.append(.eggs)
        try files.removeItem(at: temporary.file("inner"))
        expectError(.containerRemoved) { try inner.append(.milk) }
        expectError(.containerRemoved) { try inner.load() }
        #expect(Array(inner.items) == [.eggs])
        #expect(try !temporary.tree().contains("inner"))
    }

    @Test func fileInPlaceOfTheFolderIsAnError() throws {
        try temporary.write("", to: "file")
        expectError(.ioFailure) {
            try Directory<Note>(at: temporary.file("file"), index: "notes.json")
        }
        expectError(.ioFailure) {
            try Directory<Note>(at: temporary.file("file/inner"), index: "notes.json")
        }
    }

    @Test(arguments: ["", "3\n", "words", "-1\n", "\(Int.max)\n", "\(Int.max - 1)\n", "1e9\n\n"])
    func anyTextInTheLockFileIsAccepted(_ text: String) throws {
        try temporary.write(text, to: ".notes.lock")
        try notes.append(.milk)
        try temporary.write(
            "[{\"id\":3,\"title\":\"Salt\"}]", to: "notes.json")
        try notes.append(.milk)
        #expect(try temporary.notesOnDisk() == [.salt, .milk])
    }

    @Test func indexKeepsItsPermissions() throws {
        try setMode(0o640, of: "notes.json")
        try notes.append(.milk)
        let attributes = try files.attributesOfItem(atPath: temporary.file("notes.json").path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }
}
