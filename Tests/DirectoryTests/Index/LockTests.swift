import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// The text in the lock file.
@Suite struct LockTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes() throws -> Directory<Note> {
        try Directory(
            at: sandbox.url, index: "notes.json",
            options: .init(lockTimeout: .milliseconds(20)))
    }

    /// Locks the index as another process does that has written `text` into the lock file.
    private func lock(_ text: String) throws -> Handle {
        try sandbox.write(text, to: ".notes.lock")
        return try sandbox.lock()
    }

    @Test func errorNamesTheProcessThatHasTheLock() throws {
        let text = "00000000000000000004\nprocess 7 (importer)\nrest of a longer name"
        try withExtendedLifetime(lock(text)) {
            let notes = try notes()
            let error = expectError(.locked) { try notes.append(.eggs) }
            #expect(error?.reason == "process 7 (importer) has held the lock for 0.02 seconds")
        }
    }

    @Test(arguments: ["", "\n", "4", "4\n", "nothing\nof this", "\u{FFFD}\u{0}"])
    func errorNamesAnotherProcessIfTheLockFileNamesNone(_ text: String) throws {
        try withExtendedLifetime(lock(text)) {
            let notes = try notes()
            let error = expectError(.locked) { try notes.append(.eggs) }
            #expect(error?.reason.hasPrefix("another process") == true)
        }
        try sandbox.write(text, to: ".notes.lock")
        try self.notes().append(.milk)
        #expect(try sandbox.text("notes.json").contains("Milk"))
    }

    @Test func processIsNamedOnceInTheLockFile() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", on: process)
        for id in 0..<3 { try notes.append(Note(id: id, title: "")) }
        let id = ProcessInfo.processInfo.processIdentifier
        let lines = try sandbox.text(".notes.lock").split(separator: "\n")
        #expect(lines[0] == "00000000000000000006")
        #expect(lines[1].hasPrefix("process \(id) ("))
        // Two writes of the generation for each commit, and one of the name.
        #expect(process.log.count { $0.hasPrefix("write") && $0.hasSuffix(".lock") } == 7)
    }
}
