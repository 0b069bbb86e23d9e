import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// The text in the lock file.
struct LockTests {
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

    /// A lock of the old file would protect nothing.
    @Test func lockFileThatWasReplacedIsNotTheLock() throws {
        let sandbox = sandbox
        let held = Mutex<Handle?>(nil)
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "lock ", ".notes.lock")
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json",
            options: .init(lockTimeout: .milliseconds(20)), on: process)
        interruption.set {
            try sandbox.remove(".notes.lock")
            let lock = try self.lock("")
            held.withLock { $0 = lock }
        }
        expectError(.locked) { try notes.append(.eggs) }
        #expect(interruption.hasRun && !sandbox.exists("notes.json"))
        held.withLock { $0 = nil }
        try notes.append(.eggs)
    }

    @Test func processIsNamedInTheLockFile() throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        for id in 0..<3 { try notes.append(Note(id: id, title: "")) }
        let id = ProcessInfo.processInfo.processIdentifier
        let lines = try sandbox.text(".notes.lock").split(separator: "\n")
        #expect(Int(lines[0])?.isMultiple(of: 2) == true)
        #expect(lines[1].hasPrefix("process \(id) ("))
    }
}
