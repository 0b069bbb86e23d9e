import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Another program removes a journal, or puts an earlier one in its place, while a process knows what it had.
struct JournalMissingTests {
    /// What happens to the journal.
    enum Loss: CaseIterable {
        /// A cleaner removes it; or all hidden files.
        case removed, removedWithLock
        /// An earlier version is written over it, or replaces it.
        case overwritten, replaced
        /// It is removed, and another process begins a new one.
        case begunAnew
    }

    private let sandbox: Sandbox
    private let journal = ".notes.journal"
    private let saved = [Note.eggs, .milk, .salt]
    /// Writes its journal into the index when it is released.
    private let other: Directory<Note>

    init() throws {
        sandbox = try Sandbox()
        other = try sandbox.journaledNotes()
    }

    /// A process that has read three notes, of which the index has one; then the journal is lost.
    private func notes(after loss: Loss) throws -> Directory<Note> {
        let notes = try sandbox.journaledNotes()
        try notes.append(.eggs)
        if loss == .begunAnew {
            // An index of another form gets no mark, so the other process does not notice the loss.
            try sandbox.write(
                sandbox.text("notes.json").replacing("[\n", with: "["), to: "notes.json")
            try notes.load()
        }
        try notes.append(.milk)
        let earlier = try sandbox.bytes(journal)
        try notes.append(.salt)
        switch loss {
        case .removed: try sandbox.remove(journal)
        case .removedWithLock:
            try sandbox.remove(journal)
            try sandbox.remove(".notes.lock")
        case .overwritten: try sandbox.write(earlier, to: journal)
        case .replaced:
            try sandbox.remove(journal)
            try sandbox.write(earlier, to: journal)
        case .begunAnew:
            try sandbox.remove(journal)
            try other.append(Note(id: 9, title: "Pears"))
        }
        return notes
    }

    @Test(arguments: Loss.allCases) func everyCallSaysSoAndChangesNothing(_ loss: Loss) throws {
        let notes = try notes(after: loss)
        let files = try sandbox.tree()
        expectError(.journalMissing) { try notes.load() }
        expectError(.journalMissing) { try notes.append(Note(id: 5, title: "Rice")) }
        expectError(.journalMissing) { try notes.verify() }
        expectError(.journalMissing) { try notes.copy(to: sandbox.url("copy")) }
        expectError(.journalMissing) { try notes.close() }
        #expect(Array(notes.items) == saved)
        guard case .failed(let error) = notes.phase else {
            Issue.record("the phase is \(notes.phase)")
            return
        }
        #expect(error.code == .journalMissing)
        let journals = files.filter { $0.key == journal || $0.key == "notes.json" }
        #expect(try sandbox.tree().filter { journals.keys.contains($0.key) } == journals)
    }

    /// A copy would be older in silence, and a transfer would take the folder from the collection that knows more.
    @Test func callsOnTheCollectionAboveSaySo() throws {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        let boxes = try sandbox.boxes(options: options)
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        let notes = try boxes.child(.notes, of: 1)
        for note in saved { try notes.append(note) }
        try sandbox.remove("One/.notes.journal")
        let parts = try Directory<Box>(at: sandbox.url("parts"), index: "boxes.json")
        expectError(.journalMissing) { try boxes.copy(to: sandbox.url("copy")) }
        expectError(.journalMissing) { try boxes.archive(to: sandbox.url("copy.zip")) }
        expectError(.journalMissing) { try boxes.verify() }
        expectError(.journalMissing) { try boxes.transfer([1], to: parts) }
        expectError(.journalMissing) { try notes.checkpoint() }
        try boxes.transfer([2], to: parts)
        #expect(try notes.repair().map(\.finding.kind) == [.journalMissing])
        _ = try boxes.verify()
        try boxes.copy(to: sandbox.url("copy"))
        let copied = try sandbox.text("copy/One/notes.json")
        for note in saved { #expect(copied.contains(note.title)) }
        try boxes.transfer([1], to: parts)
        #expect(try parts.child(.notes, of: 1).loaded().map(\.title) == saved.map(\.title))
    }

    /// Another object takes the place of a collection that is closed and opened again; those inside it stay open.
    @Test(arguments: [[], ["parts"], ["boxes"], ["parts", "boxes"]])
    func callsNoticeItInsideCollectionsThatWereOpenedAgain(_ closed: [String]) throws {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        var boxes = try sandbox.boxes(options: options)
        try boxes.append(Box(id: 1, folderName: "One"))
        var parts = try boxes.child(.parts, of: 1)
        try parts.append(Box(id: 2, folderName: "Two"))
        let notes = try parts.child(.notes, of: 2)
        for note in saved { try notes.append(note) }
        if closed.contains("parts") {
            try parts.close()
            parts = try boxes.child(.parts, of: 1)
        }
        if closed.contains("boxes") {
            try boxes.close()
            boxes = try sandbox.boxes(options: options)
        }
        try parts.load()
        try boxes.load()
        try sandbox.remove("One/Two/.notes.journal")
        expectError(.journalMissing) { try boxes.verify() }
        expectError(.journalMissing) { try boxes.copy(to: sandbox.url("copy")) }
        expectError(.journalMissing) { try parts.verify() }
        #expect(try notes.repair().map(\.finding.kind) == [.journalMissing])
        #expect(try boxes.verify() == [])
    }

    /// The look at the collections inside retains no others: their last release writes the index, in the thread that
    /// releases them.
    @Test func othersAreReleasedMeanwhile() throws {
        /// Opened before one call, and released before the next one.
        let open = Mutex<Directory<Note>?>(nil)
        let indexes = Mutex<[String]>([])
        let openNext: @Sendable () throws -> Void = { [sandbox] in
            let next = try sandbox.journaledNotes("other")
            try next.append(.eggs)
            try next.append(.salt)
            open.withLock { $0 = next }
        }
        let process = ProcessFileSystem(LocalFileSystem()) { [sandbox] _, _ in
            guard open.withLock({ $0 != nil }) else { return .works }
            do {
                open.withLock { $0 = nil }
                let index = try sandbox.text("other/notes.json")
                indexes.withLock { $0.append(index) }
                try sandbox.remove("other")
                try openNext()
            } catch {
                Issue.record(error)
            }
            return .works
        }
        var options = DirectoryOptions()
        options.journalThreshold = 0
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
        try boxes.append(Box(id: 1, folderName: "One"))
        let notes = try boxes.child(.notes, of: 1)
        for note in saved { try notes.append(note) }
        try openNext()
        #expect(try boxes.verify() == [])
        open.withLock { $0 = nil }
        let written = indexes.withLock { $0 }
        #expect(written.count > 20 && written.allSatisfy { $0.contains(Note.salt.title) })
        withExtendedLifetime(notes) {}
    }

    @Test(arguments: Loss.allCases) func repairWritesWhatTheProcessStillHas(_ loss: Loss) throws {
        let notes = try notes(after: loss)
        #expect(try notes.repair().map(\.finding.kind) == [.journalMissing])
        #expect(try sandbox.notesOnDisk() == saved)
        #expect(notes.phase == .loaded)
        try notes.append(Note(id: 5, title: "Rice"))
        #expect(try sandbox.notesOnDisk().count == 4)
        #expect(try notes.verify() == [])
        // A journal of others is not lost.
        let aside = (try? sandbox.contents("notes.recovered")) ?? []
        let hasPears = aside.contains { String(decoding: $0, as: UTF8.self).contains("Pears") }
        #expect(hasPears == (loss == .begunAnew))
    }

    @Test func theFileCanBePutBack() throws {
        let notes = try sandbox.journaledNotes()
        for note in saved { try notes.append(note) }
        try sandbox.move(journal, to: "kept")
        expectError(.journalMissing) { try notes.load() }
        try sandbox.move("kept", to: journal)
        #expect(try Array(notes.loaded()) == saved)
        try notes.append(Note(id: 5, title: "Rice"))
        #expect(try sandbox.notesOnDisk().count == 4)
    }

    @Test func whatOtherProcessesOfTheLibraryDoIsNoLoss() throws {
        let notes = try sandbox.journaledNotes()
        try notes.append(.eggs)
        try notes.append(.milk)
        try other.checkpoint()
        #expect(try notes.loaded().count == 2)
        try notes.append(.salt)
        try other.load()
        try other.close()
        #expect(try Array(notes.loaded()) == saved)
        try notes.append(Note(id: 5, title: "Rice"))
        var damaged = try sandbox.bytes(journal)
        damaged[10] ^= 1
        try sandbox.write(damaged, to: journal)
        let third = try sandbox.journaledNotes()
        expectError(.journalDamaged) { try third.load() }
        try third.resolveConflict(keeping: .index)
        try third.append(Note(id: 6, title: "Beans"))
        #expect(try Array(notes.loaded()) == saved + [Note(id: 6, title: "Beans")])
    }

    /// A process that cannot make its newest record durable cuts it off again, after another one has read it.
    @Test func aRecordThatIsCutOffIsNoLoss() throws {
        let fails = Mutex(false)
        let process = ProcessFileSystem(LocalFileSystem()) { [other, journal] _, call in
            guard call.hasPrefix("sync"), call.hasSuffix(journal),
                fails.withLock({ isOn in
                    defer { isOn = false }
                    return isOn
                })
            else { return .works }
            try? other.load()
            return .fails(.ioError)
        }
        let notes = try sandbox.journaledNotes(on: process)
        for note in saved.dropLast() { try notes.append(note) }
        fails.withLock { $0 = true }
        #expect(throws: DirectoryError.self) { try notes.append(.salt) }
        #expect(Array(other.items) == saved)
        #expect(try Array(other.loaded()) == saved.dropLast())
    }
}
