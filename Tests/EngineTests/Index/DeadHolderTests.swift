import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// The first change after that of a process that has died: its last sync may have failed, and then later ones lie.
@Suite struct DeadHolderTests {
    /// Who had the lock last.
    enum Holder: CaseIterable { case dead, unknown, thisProcess }

    @Test(arguments: Holder.allCases)
    func theJournalOfADeadProcessIsWrittenToANewFile(_ holder: Holder) throws {
        let sandbox = try Sandbox()
        let process = ProcessFileSystem(LocalFileSystem())
        let first = try sandbox.journaledNotes(on: process)
        try first.append(.eggs)
        try first.append(.milk)
        withExtendedLifetime(first) { process.kill() }
        let old = try #require(sandbox.status(".notes.journal")?.identity)
        try name(holder, in: sandbox)

        let next = try sandbox.journaledNotes(on: ProcessFileSystem(LocalFileSystem()))
        try next.load()
        #expect(sandbox.status(".notes.journal")?.identity == old)
        try next.append(.salt)
        let new = sandbox.status(".notes.journal")?.identity
        #expect((new == old) == (holder != .dead))
        try next.append(Note(id: 4, title: "Tea"))
        #expect(sandbox.status(".notes.journal")?.identity == new)
        #expect(try sandbox.journaledNotes().loaded().map(\.id) == [1, 2, 3, 4])
        #expect(try next.verify().isEmpty)
    }

    /// It was written by this process.
    @Test func aJournalThatIsNewIsNotWrittenAgain() throws {
        let sandbox = try Sandbox()
        let first = try sandbox.journaledNotes()
        try first.append(.eggs)
        try first.close()
        try name(.dead, in: sandbox)
        let next = try sandbox.journaledNotes()
        try next.append(.milk)
        let journal = try #require(sandbox.status(".notes.journal")?.identity)
        try next.append(.salt)
        #expect(sandbox.status(".notes.journal")?.identity == journal)
    }

    /// Writes into the lock file who had the lock last.
    private func name(_ holder: Holder, in sandbox: Sandbox) throws {
        let lines = try sandbox.text(".notes.lock").split(separator: "\n")
        try #require(lines.count == 2)
        var words = StageOwner.text(Machine.current).split(separator: ".").map(String.init)
        // Without the start of the process, which Linux knows.
        if words[2] == "linux" { words.removeLast() }
        words[words.count - 1] = "2147483647"
        let line =
            switch holder {
            case .dead: "process 2147483647 (ended) \(words.joined(separator: "."))"
            case .unknown: "process 1 (other)"
            case .thisProcess: String(lines[1])
            }
        try sandbox.write("\(lines[0])\n\(line)\n", to: ".notes.lock")
    }
}
