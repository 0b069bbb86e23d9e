import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What others do to the earlier copy while a new one takes its place.
extension EarlierCopyTests {
    /// Copies onto an earlier copy; `mine.txt` comes into that before the first exchange, and the later calls from the
    /// one with `prefix` on fail.
    private func interrupt(_ fate: ProcessFileSystem.Fate, from prefix: String, count: Int) throws {
        try boxes.copy(to: copyURL)
        let seen = Mutex(0)
        let process = ProcessFileSystem(LocalFileSystem()) { [sandbox] _, line in
            guard line.hasPrefix(prefix) else { return .works }
            let number = seen.withLock { seen in
                seen += 1
                return seen
            }
            if number == 1 {
                #expect(throws: Never.self) {
                    try sandbox.write("mine", to: "backups/copy/mine.txt")
                }
            }
            return number == count ? fate : .works
        }
        let others = try Directory<Box>(at: sandbox.url("store"), index: "boxes.json", on: process)
        #expect(throws: (any Error).self) { try others.copy(to: copyURL) }
    }

    private func expectThatMineIsKept(at location: SourceLocation = #_sourceLocation) throws {
        let paths = try sandbox.paths().filter { $0.hasSuffix("/mine.txt") }
        #expect(paths.count == 1, "\(paths)", sourceLocation: location)
    }

    @Test func whatOthersAddIsKeptIfTheProcessDiesBeforeItGoesBack() throws {
        try interrupt(.killed, from: "exchange ", count: 2)
        try boxes.copy(to: copyURL)
        try expectThatMineIsKept()
        #expect(sandbox.exists("backups/copy (earlier copy)/mine.txt"))
    }

    @Test func whatOthersAddIsKeptIfGoingBackFails() throws {
        try interrupt(.fails(.ioError), from: "exchange ", count: 2)
        try expectThatMineIsKept()
        try boxes.copy(to: copyURL)
        try expectThatMineIsKept()
    }

    @Test func fileThatHasTheTimeAndSizeOfTheCopiedOneIsNotTheSame() throws {
        let guide = sandbox.url("store/One/guide.txt")
        let date = try FileManager.default.attributesOfItem(atPath: guide.path)[.modificationDate]
        let old = try #require(date as? Date)
        try boxes.copy(to: copyURL)
        try sandbox.write("b guide", to: "store/One/guide.txt")
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: guide.path)
        try boxes.copy(to: copyURL)
        #expect(try sandbox.text("backups/copy/One/guide.txt") == "b guide")

        let copied = sandbox.url("backups/copy/One/guide.txt")
        let made = try FileManager.default.attributesOfItem(atPath: copied.path)[.modificationDate]
        try FileManager.default.removeItem(at: copied)
        try sandbox.write("c guide", to: "backups/copy/One/guide.txt")
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(made as? Date)], ofItemAtPath: copied.path)
        try expectRefusal(
            "One/guide.txt in the copy with this name was changed after the copy was made")
    }

    @Test func fileWithASecondNameIsCopiedAnew() throws {
        try boxes.copy(to: copyURL)
        try FileManager.default.linkItem(
            at: sandbox.url("backups/copy/One/notes.json"), to: sandbox.url("snapshot.json"))
        try boxes.copy(to: copyURL)
        #expect(sandbox.status("backups/copy/One/notes.json")?.linkCount == 1)
        #expect(sandbox.status("snapshot.json")?.linkCount == 1)
    }

    @Test func hiddenFilesOfOthersAreNotIgnored() throws {
        try boxes.copy(to: copyURL)
        try sandbox.write("mine", to: "backups/copy/.mine.lock")
        try expectRefusal(
            ".mine.lock in the copy with this name was changed after the copy was made")
    }

    /// Who edits a manifest by hand cannot make the library go outside of the copy, or trap.
    @Test(
        arguments: Sweep.cases(
            [
                (#""path":"One""#, #""path":"../One""#), (#""path":"""#, #""path":"Nothing""#),
                (#""began":"#, #""began":-9223372036854775808,"x":"#),
                (#""path":"One""#, #""path":"Two""#),
            ], sample: 1))
    func manifestThatDoesNotFitIsRefused(_ old: String, _ new: String) throws {
        try boxes.copy(to: copyURL)
        let text = try sandbox.text("backups/copy/.boxes.copy")
        let line = try #require(text.split(separator: "\n").first)
        let edited = line.replacing(old, with: new, maxReplacements: 1)
        #expect(edited != line)
        let sum = CRC32.checksum(of: Array("\(edited)\n".utf8)).hexadecimal
        try sandbox.write("\(edited)\n\(sum)\n", to: "backups/copy/.boxes.copy")
        let guides = { try sandbox.text("backups/copy/One/guide.txt") }
        let before = try guides()
        _ = Result { try boxes.copy(to: copyURL) }
        #expect(try guides() == before)
    }
}
