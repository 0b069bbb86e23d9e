import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Which files and folders below a folder are looked at.
struct VerifyBelowTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func soundTreeHasNoFindings() throws {
        try sandbox.threeLevels()
        #expect(try sandbox.findingsBelow() == [])
    }

    @Test func damageIsFoundAtEachLevel() throws {
        try sandbox.threeLevels()
        for folder in ["", "projects/One/", "projects/One/Two/"] {
            try sandbox.write("[{", to: "\(folder)notes.json")
        }
        try sandbox.write("{}", to: "projects/One/Two/Three/photos.json")
        #expect(
            try sandbox.findingsBelow() == [
                "damagedIndex notes.json", "damagedIndex projects/One/Two/Three/photos.json",
                "damagedIndex projects/One/Two/notes.json", "damagedIndex projects/One/notes.json",
            ])
    }

    @Test func folderWithoutAnIndexHasNoFindings() throws {
        try sandbox.write("text", to: "a/b/file.txt")
        try sandbox.makeSymbolicLink("a/link", to: sandbox.url("a"))
        try sandbox.makePipe("a/pipe")
        #expect(try sandbox.findingsBelow() == [])
    }

    @Test func missingFolderIsAnError() throws {
        let error = expectError(.ioFailure) {
            try Directory.verify(below: sandbox.url("nowhere"))
        }
        #expect(error?.message.contains("nowhere: there is no such folder") == true)
        try sandbox.write("text", to: "file")
        expectError(.ioFailure) { try Directory.verify(below: sandbox.url("file")) }
        expectError(.invalidLocation) {
            try Directory.verify(below: #require(URL(string: "https://example.org/store")))
        }
    }

    @Test func folderThatCannotBeOpenedIsAnError() throws {
        try sandbox.threeLevels()
        for path in try sandbox.paths() + [""] { try sandbox.setMode(0o755, of: path) }
        #expect(try withoutPrivileges { try Directory.verify(below: sandbox.url) } == [])
        try sandbox.setMode(0, of: "projects/One/Two")
        defer { try? sandbox.setMode(0o700, of: "projects/One/Two") }
        _ = withoutPrivileges {
            expectError(.accessDenied) { try Directory.verify(below: sandbox.url) }
        }
    }

    @Test(arguments: ["{}", "[1, 2", "", "not JSON", #"["a", "a"]"#, #"[{"id": 1}, 2]"#])
    func jsonOfTheAppIsNoIndex(_ text: String) throws {
        try sandbox.write(text, to: "app.json")
        #expect(try sandbox.findingsBelow() == [])
        // Other programs have lock files with such names too.
        try sandbox.write("", to: ".app.lock")
        #expect(try sandbox.findingsBelow() == [])
        try sandbox.write("4711\n", to: ".app.lock")
        #expect(try sandbox.findingsBelow() == [])
    }

    @Test(arguments: ["{}", "[1, 2", ""])
    func fileWithALockFileOrAJournalIsAnIndex(_ text: String) throws {
        try sandbox.write("one", to: "app/1.jpg")
        try sandbox.write(text, to: "app.json")
        try sandbox.endLastProcess(lock: ".app.lock")
        #expect(try sandbox.findingsBelow() == ["damagedIndex app.json"])
        try sandbox.remove(".app.lock")
        try sandbox.write("", to: ".app.journal")
        #expect(try sandbox.findingsBelow() == ["journalDamaged .app.journal"])
    }

    @Test func arrayOfObjectsWithoutALockFileIsAnIndex() throws {
        try sandbox.write("\u{FEFF} \n[{\"id\": 1},\n\n{\"id\":\n1}]", to: "a/b/c.json")
        #expect(try sandbox.findingsBelow() == ["duplicateID a/b/c.json"])
    }

    @Test func itemsThatAreNoObjectsAreNoFinding() throws {
        struct Word: Codable, Identifiable {
            let id: String
            init(_ id: String) { self.id = id }
            init(from decoder: any Decoder) throws {
                id = try decoder.singleValueContainer().decode(String.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(id)
            }
        }
        let words = try Directory<Word>(at: sandbox.url, index: "words.json")
        try words.append(contentsOf: [Word("one"), Word("two")])
        #expect(try sandbox.findingsBelow() == [])
    }

    @Test func foldersOfNoItemAreNoFinding() throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.write("text", to: "Unknown/file.txt")
        try sandbox.write("text", to: "One/stray.txt")
        try sandbox.write("text", to: "file.txt")
        #expect(try sandbox.findingsBelow() == ["unknownFile One/stray.txt"])
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        // Of a folder with an index but without an item nobody knows whose it is.
        try sandbox.write("[]", to: "One/notes.json")
        try sandbox.write("text", to: "One/stray.txt")
        #expect(try sandbox.findingsBelow() == [])
    }

    @Test func folderWithTheIDOfAnItemIsThatOfTheItem() throws {
        struct Project: Container { var id: Int }
        let projects = try Directory<Project>(at: sandbox.url, index: "projects.json")
        try projects.append(Project(id: 7))
        try projects.child(.notes, of: 7).append(.eggs)
        #expect(try sandbox.findingsBelow() == [])
        try sandbox.write("text", to: "7/stray.txt")
        #expect(try sandbox.findingsBelow() == ["unknownFile 7/stray.txt"])
    }

    @Test func indexesInAFolderWithTheNameOfAnIndexAreFound() throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try notes.append(.eggs)
        let more = try Directory<Note>(at: sandbox.url("notes/2026"), index: "notes.json")
        try more.append(.milk)
        #expect(try sandbox.findingsBelow() == [])
        try sandbox.write("[", to: "notes/2026/notes.json")
        // It could be an asset.
        try sandbox.write(#"[{"id":1},{"id":1}]"#, to: "notes/list.json")
        #expect(try sandbox.findingsBelow() == ["damagedIndex notes/2026/notes.json"])
    }

    @Test func hiddenFoldersAndWhatWasSetAsideAreLeftOut() throws {
        try sandbox.write(#"[{"id":1},{"id":1}]"#, to: ".hidden/a.json")
        try sandbox.write(#"[{"id":1},{"id":1}]"#, to: "photos.recovered/a.json")
        #expect(try sandbox.findingsBelow() == [])
        #expect(try sandbox.findingsBelow(".hidden") == ["duplicateID .hidden/a.json"])
    }

    @Test func collectionsInMemoryAreLookedAt() throws {
        let volume = MemoryVolume()
        let folder = volume.url.appending(path: "a")
        let boxes = try Directory<Box>(at: folder, index: "boxes.json")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        #expect(try Directory.verify(below: volume.url) == [])
        struct Twin: Codable, Identifiable {
            var id: Int
            var other = 1
            enum CodingKeys: String, CodingKey { case id = "key", other = "id" }
        }
        let twins = try Directory<Twin>(
            at: folder.appending(path: "One"), index: "twins.json")
        try twins.append(contentsOf: [Twin(id: 1), Twin(id: 2)])
        let findings = try Directory.verify(below: volume.url)
        #expect(findings.map(\.kind) == [.duplicateID])
        #expect(findings.first?.path.hasSuffix("/a/One/twins.json") == true)
        expectError(.ioFailure) {
            try Directory.verify(below: volume.url.appending(path: "b"))
        }
    }

    @Test func taskCanWaitForIt() async throws {
        try sandbox.threeLevels()
        #expect(try await Directory.verify(below: sandbox.url) == [])
        try sandbox.write("[", to: "projects/One/notes.json")
        let findings = try await Directory.verify(below: sandbox.url)
        #expect(findings.map(\.kind) == [.damagedIndex])
    }

    @Test func cancelledTaskEndsIt() async throws {
        try sandbox.threeLevels()
        let folder = sandbox.url
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Directory.verify(below: folder)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
