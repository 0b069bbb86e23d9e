import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// A journal that has the inode of one that is gone.
@Suite struct JournalInodeTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes(on process: ProcessFileSystem) throws -> Directory<Note> {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        return try Directory(
            at: sandbox.url, index: "notes.json", options: options, on: process)
    }

    /// File systems such as ext4 give the number of a removed file to the next new one.
    @Test func checkpointIsNotMistakenAboutTheJournalItBeganWith() throws {
        let isArmed = Atomic(false)
        let other = ProcessFileSystem(LocalFileSystem())
        let others = try notes(on: other)
        let commitAnew = { @Sendable [sandbox] in
            let inode = sandbox.status(".notes.journal")?.identity
            for id in 100..<200 {
                try others.checkpoint()
                // Files that take the numbers below it.
                for filler in 0..<20 {
                    let path = "fillers/\(id)-\(filler)"
                    try sandbox.write("", to: path)
                    guard sandbox.status(path)?.identity == inode else { continue }
                    try sandbox.remove(path)
                    break
                }
                try others.append(Note(id: id, title: "Meanwhile"))
                try others.append(Note(id: id + 1000, title: "Meanwhile"))
                if sandbox.status(".notes.journal")?.identity == inode { return }
            }
        }
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let isDue = call.hasPrefix("sync") && call.hasSuffix(".tmp")
            guard isDue, isArmed.exchange(false, ordering: .relaxed) else { return .works }
            #expect(throws: Never.self) { try commitAnew() }
            return .works
        }
        let notes = try notes(on: process)
        try notes.append(.eggs)
        try others.append(.milk)
        try others.append(.salt)
        isArmed.store(true, ordering: .relaxed)
        try notes.checkpoint()
        try others.load()
        let expected = others.items.map(\.id)
        withExtendedLifetime(others) { other.kill() }
        withExtendedLifetime(notes) { process.kill() }
        let fresh = try self.notes(on: ProcessFileSystem(LocalFileSystem()))
        try fresh.load()
        #expect(fresh.items.map(\.id) == expected)
        #expect(expected.contains(1100))
    }
}
