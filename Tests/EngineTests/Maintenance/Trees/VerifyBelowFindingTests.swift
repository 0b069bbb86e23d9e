import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Each kind of finding that needs no type of items.
struct VerifyBelowFindingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func expectSame(
        as typed: [Finding], at location: SourceLocation = #_sourceLocation
    ) throws {
        let findings = try Directory.verify(below: sandbox.url)
        #expect(!findings.isEmpty && Set(findings) == Set(typed), sourceLocation: location)
    }

    @Test func duplicateIDsAndElementsThatAreNoObjects() throws {
        let notes = try sandbox.journaledNotes()
        try notes.append(.eggs)
        let lines = [
            #"{"id":1,"title":"Eggs"}"#, #"{"title":"Other eggs","id":1}"#, "null",
            #"{"id":2,"title":"Milk"}"#,
        ]
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "notes.json")
        #expect(
            try sandbox.findingsBelow() == ["duplicateID notes.json", "undecodableItem notes.json"])
        let messages = try Directory.verify(below: sandbox.url).map(\.message)
        #expect(messages[0].hasSuffix("an earlier item has the id 1"))
        #expect(messages[1].hasSuffix("it is not a JSON object"))
    }

    @Test func duplicateIDsInAJournal() throws {
        struct Twin: Codable, Identifiable {
            var id: Int
            var other = 1
            enum CodingKeys: String, CodingKey { case id = "key", other = "id" }
        }
        var options = DirectoryOptions()
        options.journalThreshold = 0
        let twins = try Directory<Twin>(at: sandbox.url, index: "twins.json", options: options)
        try twins.append(Twin(id: 1))
        #expect(try sandbox.findingsBelow() == [])
        try twins.append(Twin(id: 2))
        #expect(sandbox.exists(".twins.journal"))
        #expect(try sandbox.findingsBelow() == ["duplicateID twins.json"])
        withExtendedLifetime(twins) {}
    }

    @Test func indexThatWasChangedByOthersBesideItsJournal() throws {
        let notes = try sandbox.journaledNotes()
        try notes.append(contentsOf: (0..<9).map(Note.init))
        try notes.append(.init(99))
        #expect(sandbox.exists(".notes.journal"))
        try sandbox.write("[]", to: "notes.json")
        #expect(try sandbox.findingsBelow() == ["indexConflict notes.json"])
        withExtendedLifetime(notes) {}
    }

    @Test func journalThatIsDamaged() throws {
        let notes = try sandbox.journaledNotes()
        for id in 1...4 { try notes.append(Note(id)) }
        var bytes = try sandbox.bytes(".notes.journal")
        bytes[0] ^= 1
        try sandbox.write(bytes, to: ".notes.journal")
        #expect(try sandbox.findingsBelow() == ["journalDamaged .notes.journal"])
        withExtendedLifetime(notes) {}
    }

    @Test func linksFoldersAndPipesInPlaceOfFiles() throws {
        try sandbox.threeLevels()
        let folder = "projects/One"
        try sandbox.move("\(folder)/notes.json", to: "elsewhere.txt")
        try sandbox.makeSymbolicLink("\(folder)/notes.json", to: sandbox.url("elsewhere.txt"))
        try sandbox.makePipe("\(folder)/.photos.journal")
        try sandbox.remove("\(folder)/.parts.lock")
        try sandbox.makeFolder("\(folder)/.parts.lock")
        try sandbox.write("file", to: "\(folder)/.staging")
        try sandbox.makeSymbolicLink("\(folder)/photos/link", to: sandbox.url("elsewhere.txt"))
        try sandbox.makePipe("\(folder)/photos/pipe")
        try sandbox.makeFolder("\(folder)/photos/folder")
        try sandbox.write("hidden", to: "\(folder)/photos/.hidden")
        try sandbox.write("hidden", to: "\(folder)/photos/.DS_Store")
        let paths = [
            ".parts.lock", ".photos.journal", ".staging", "notes.json", "photos/.hidden",
            "photos/folder", "photos/link", "photos/pipe",
        ]
        #expect(try sandbox.findingsBelow() == paths.map { "unknownFile \(folder)/\($0)" })
    }

    @Test func linksAmongFilesThatPerhapsAreAssets() throws {
        struct Page: Asset {
            var id: Int
            var fileName: String { "\(id).txt" }
            enum CodingKeys: CodingKey { case id }
        }
        let pages = try Directory<Page>(at: sandbox.url, index: "pages.json")
        let file = try sandbox.write("a page", to: "1.txt")
        try pages.insert(copying: [file]) { _ in Page(id: 1) }
        #expect(try sandbox.findingsBelow() == [])
        try sandbox.makeSymbolicLink("pages/link", to: file)
        try sandbox.makeFolder("pages/folder")
        try sandbox.write("hidden", to: "pages/.hidden")
        #expect(try sandbox.findingsBelow() == ["unknownFile pages/link"])
    }

    @Test func strayFilesInContainersAsVerifyFindsThem() throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.write("stray", to: "One/stray.txt")
        try sandbox.makeSymbolicLink("One/link", to: sandbox.url("Two"))
        try expectSame(as: boxes.child(.notes, of: 1).verify())
    }

    @Test func whatSyncEnginesMadeAsVerifyFindsIt() throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.write("[]", to: "boxes.sync-conflict-20261123-101500-ABCDEFG.json")
        try sandbox.write("", to: ".boxes.sync-conflict-20261123-101500-ABCDEFG.lock")
        try expectSame(as: boxes.verify())
        try sandbox.makeFolder(".stfolder")
        // The folder is reported once, and not for each index in it.
        try expectSame(as: boxes.verify())
        #expect(try Directory.verify(below: sandbox.url("One")).map(\.kind) == [.syncedFolder])
    }

    @Test func temporaryFilesOfProcessesThatHaveEnded() throws {
        try sandbox.threeLevels()
        let name = "projects/.projects.\(String(repeating: "a", count: 32)).tmp"
        let folder = "projects/One/.notes.\(String(repeating: "b", count: 32)).tmp"
        try sandbox.write("12345", to: name)
        try sandbox.write("123", to: "\(folder)/deep/in/it.txt")
        // This process may be writing them.
        #expect(try sandbox.findingsBelow() == [])
        try sandbox.endLastProcess(lock: "projects/.projects.lock")
        try sandbox.endLastProcess(lock: "projects/One/.notes.lock")
        #expect(try sandbox.findingsBelow() == ["leftoverFile \(name)", "leftoverFile \(folder)"])
        let messages = try Directory.verify(below: sandbox.url).map(\.message)
        #expect(messages[0].contains(" 5 bytes") && messages[1].contains(" 3 bytes"))
    }

    @Test func temporaryFileThatNothingHasChangedForADay() throws {
        try sandbox.threeLevels()
        let name = "projects/.projects.\(String(repeating: "a", count: 32)).tmp"
        try sandbox.write("12345", to: name)
        try sandbox.setAge(25 * 60 * 60, of: name)
        #expect(try sandbox.findingsBelow() == ["leftoverFile \(name)"])
    }

    @Test func copyThatWasNotFinished() throws {
        try sandbox.threeLevels()
        let name = "projects/.\(String(repeating: "a", count: 32)).copy"
        try sandbox.write("12345", to: "\(name)/notes.json")
        #expect(try sandbox.findingsBelow() == [])
        try sandbox.setAge(25 * 60 * 60, of: name)
        #expect(try sandbox.findingsBelow() == ["leftoverFile \(name)"])
    }

    /// An odd generation stays when a process dies while it replaces a file.
    @Test func indexWhoseGenerationStayedOddIsRead() throws {
        try sandbox.threeLevels()
        try sandbox.write("00000000000000000007\nprocess 2147483647 (ended)\n", to: ".notes.lock")
        #expect(try sandbox.findingsBelow() == [])
        try sandbox.write("[", to: "notes.json")
        #expect(try sandbox.findingsBelow() == ["damagedIndex notes.json"])
    }
}
