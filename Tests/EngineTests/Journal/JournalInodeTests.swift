import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A journal that another process removes, or replaces by one with the same inode number, while a
/// process uses it.
struct JournalInodeTests {
    let sandbox: Sandbox
    private let interruption = Interruption()
    private let other = ProcessFileSystem(LocalFileSystem())

    init() throws { sandbox = try Sandbox() }

    /// Commits until a new journal has the inode number of this one, but ten times at most.
    ///
    /// File systems such as ext4 give the number of a removed file to the next new file. Ext4 without a journal of its own
    /// does that only after seconds; then the journal has another number, and the tests show less.
    private func replaceJournal(_ notes: Directory<Note>) throws {
        let inode = sandbox.status(".notes.journal")?.identity
        for id in 100..<110 {
            try notes.checkpoint()
            // These files take the numbers below it.
            for filler in 0..<20 {
                let path = "fillers/\(id)-\(filler)"
                try sandbox.write("", to: path)
                guard sandbox.status(path)?.identity == inode else { continue }
                try sandbox.remove(path)
                break
            }
            try notes.append(Note(id: id, title: "Meanwhile"))
            try notes.append(Note(id: id + 1000, title: "Meanwhile"))
            if sandbox.status(".notes.journal")?.identity == inode { return }
        }
    }

    @Test func checkpointNoticesThatItsJournalWasReplaced() throws {
        let process = interruption.process(beforeCall: "sync", ".tmp")
        let (notes, others) = (
            try sandbox.journaledNotes(on: process), try sandbox.journaledNotes(on: other)
        )
        try notes.append(.eggs)
        try others.append(.milk)
        try others.append(.salt)
        interruption.set { [self] in try replaceJournal(others) }
        try notes.checkpoint()
        try others.load()
        let expected = others.items.map(\.id)
        withExtendedLifetime((notes, others)) { [process, other].forEach { $0.kill() } }
        let fresh = try sandbox.journaledNotes()
        try fresh.load()
        #expect(fresh.items.map(\.id) == expected)
        #expect(expected.contains(1100))
    }

    @Test(arguments: [true, false]) func loadNoticesThatItsJournalWasReplacedOrRemoved(
        _ isReplaced: Bool
    ) throws {
        let process = interruption.process(
            beforeCall: "open", "/.notes.journal")
        let (notes, others) = (
            try sandbox.journaledNotes(on: process), try sandbox.journaledNotes(on: other)
        )
        try others.append(.eggs)
        try others.append(.milk)
        try notes.load()
        try others.append(.salt)
        interruption.set { [self] in
            if isReplaced { try replaceJournal(others) } else { try others.checkpoint() }
        }
        try notes.load()
        #expect(interruption.hasRun)
        #expect(Array(notes.items) == Array(others.items))
        withExtendedLifetime((notes, others)) { [process, other].forEach { $0.kill() } }
    }
}
