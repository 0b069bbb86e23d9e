import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// What the lock file says, and what becomes of calls that wait for it.
@Suite struct LockTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes() throws -> Directory<Note> {
        try Directory(
            at: sandbox.url, index: "notes.json",
            options: .init(lockTimeout: .milliseconds(20)))
    }

    /// Holds the lock as another process would, which has written `text` into it.
    private func hold(_ text: String) throws -> Handle {
        try sandbox.write(text, to: ".notes.lock")
        let files = LocalFileSystem()
        let folder = try files.openFolder(at: sandbox.url.path)
        let file = try files.openFile(".notes.lock", in: folder, for: .update)
        #expect(try files.tryLock(file))
        return file
    }

    @Test func errorNamesTheHolder() throws {
        let text = "00000000000000000004\nprocess 7 (importer)\nrest of a longer name"
        try withExtendedLifetime(hold(text)) {
            let notes = try notes()
            let error = expectError(.locked) { try notes.append(.eggs) }
            #expect(error?.reason == "process 7 (importer) has held the lock for 0.02 seconds")
        }
    }

    @Test(arguments: ["", "\n", "4", "4\n", "nothing\nof this", "\u{FFFD}\u{0}"])
    func anyTextWillDo(_ text: String) throws {
        try withExtendedLifetime(hold(text)) {
            let notes = try notes()
            let error = expectError(.locked) { try notes.append(.eggs) }
            #expect(error?.reason.hasPrefix("another process") == true)
        }
        try sandbox.write(text, to: ".notes.lock")
        try self.notes().append(.milk)
        #expect(try sandbox.text("notes.json").contains("Milk"))
    }

    @Test func holderIsWrittenOnce() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", on: process)
        for id in 0..<3 { try notes.append(Note(id: id, title: "")) }
        let id = ProcessInfo.processInfo.processIdentifier
        let lines = try sandbox.text(".notes.lock").split(separator: "\n")
        #expect(lines[0] == "00000000000000000006")
        #expect(lines[1].hasPrefix("process \(id) ("))
        // Twice a commit for the count, once for the name.
        #expect(process.log.count { $0.hasPrefix("write") && $0.hasSuffix(".lock") } == 7)
    }
}
