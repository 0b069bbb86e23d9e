import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Copies to the place of an earlier copy.
struct EarlierCopyTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes("store")
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        for id in 1...2 {
            try boxes.child(.notes, of: id).append(.eggs)
            try boxes.child(.photos, of: id).insert((0..<3).map { Data("\(id) \($0)".utf8) })
        }
        try sandbox.write("a guide", to: "store/One/guide.txt")
        try sandbox.makeFolder("store/Two/Empty")
        try makeOld()
    }

    var copyURL: URL { sandbox.url("backups/copy") }

    /// Gives all files of the store a time of an hour ago: others may be written to within the time that a volume
    /// rounds to.
    private func makeOld() throws {
        for path in try sandbox.paths() where path.hasPrefix("store/") {
            try sandbox.setAge(3_600, of: path)
        }
    }

    /// The inodes of the files in the copy, by their paths.
    private func inodes() throws -> [String: UInt64] {
        var inodes: [String: UInt64] = [:]
        for path in try sandbox.copied("backups/copy").keys {
            let status = sandbox.status("backups/copy/\(path)")
            if status?.kind == .file { inodes[path] = status?.identity.inode }
        }
        return inodes
    }

    private func expectCopy(at location: SourceLocation = #_sourceLocation) throws {
        let store = try sandbox.tree("store").filter { !$0.key.hasSuffix(".lock") }
        #expect(try sandbox.copied("backups/copy") == store, sourceLocation: location)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.url("backups").path)
                == ["copy"], sourceLocation: location)
        let findings = try Directory.verify(below: copyURL)
            .filter { !$0.path.hasSuffix("/guide.txt") }
        #expect(findings.isEmpty, "\(findings.map(\.message))", sourceLocation: location)
    }

    /// Expects that a copy is refused because of `reason`, and changes nothing.
    func expectRefusal(
        _ reason: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try sandbox.tree("backups")
        let error = #expect(throws: DirectoryError.self, sourceLocation: location) {
            try boxes.copy(to: copyURL)
        }
        #expect(error?.code == .nameTaken, sourceLocation: location)
        #expect(error?.reason == reason, sourceLocation: location)
        #expect(try sandbox.tree("backups") == before, sourceLocation: location)
    }

    @Test func whatIsUnchangedIsTheSameFile() throws {
        try boxes.copy(to: copyURL)
        let before = try inodes()
        let photos = try boxes.child(.photos, of: 1)
        try photos.load()
        let removed = photos.items[0].fileName
        try photos.remove(id: photos.items[0].id)
        let added = try photos.insert(Data("new".utf8)).fileName
        try boxes.update(id: 2) { $0.folderName = "Zwei" }
        try sandbox.write("another guide", to: "store/One/guide.txt")
        try boxes.copy(to: copyURL)
        try expectCopy()
        let after = try inodes()
        for photo in photos.items where photo.fileName != added {
            let path = "One/photos/\(photo.fileName)"
            #expect(after[path] == before[path])
        }
        #expect(after["One/photos/\(removed)"] == nil)
        #expect(after["One/guide.txt"] != before["One/guide.txt"])
        #expect(after["One/notes.json"] == before["One/notes.json"])
        // It is not told which folder was renamed.
        #expect(after["Zwei/notes.json"] != nil && after["Two/notes.json"] == nil)
        for path in after.keys {
            #expect(sandbox.status("backups/copy/\(path)")?.linkCount == 1, "\(path)")
        }
    }

    @Test func copyOfWhatDidNotChangeWritesNoFileAnew() throws {
        try boxes.copy(to: copyURL)
        let before = try inodes()
        for _ in 0..<3 {
            try boxes.copy(to: copyURL)
            try expectCopy()
            #expect(try inodes() == before)
        }
    }

    /// A volume may give the same time to two writes that follow each other.
    @Test func whatWasWrittenJustBeforeTheCopyIsCopiedAgain() throws {
        try sandbox.write("b guide", to: "store/One/guide.txt")
        try boxes.copy(to: copyURL)
        let before = try inodes()
        try boxes.copy(to: copyURL)
        let after = try inodes()
        #expect(after["One/guide.txt"] != before["One/guide.txt"])
        #expect(after["One/notes.json"] == before["One/notes.json"])
    }

    @Test func indexesWithJournalsAreWrittenAnew() throws {
        let notes = try sandbox.journaledNotes("store/One")
        try notes.append(.milk)
        try boxes.copy(to: copyURL)
        try notes.append(.salt)
        try boxes.copy(to: copyURL)
        #expect(try sandbox.boxes("backups/copy").notes(of: 1) == [.eggs, .milk, .salt])
    }

    @Test func copyThatWasOnlyReadIsBroughtUpToDate() throws {
        try boxes.copy(to: copyURL)
        let copy = try sandbox.boxes("backups/copy")
        try copy.load()
        #expect(try copy.verify() == [])
        let photos = try copy.child(.photos, of: 1)
        _ = try photos.data(of: #require(photos.loaded().first).id)
        try copy.close()
        try sandbox.write("", to: "backups/copy/One/.DS_Store")
        try boxes.append(Box(id: 3, folderName: "Three"))
        try boxes.copy(to: copyURL)
        try expectCopy()
    }

    @Test func copyThatWasChangedStays() throws {
        try boxes.copy(to: copyURL)
        try sandbox.write("b guide", to: "backups/copy/One/guide.txt")
        try expectRefusal(
            "One/guide.txt in the copy with this name was changed after the copy was made")
        try FileManager.default.removeItem(at: sandbox.url("backups/copy/One/guide.txt"))
        try expectRefusal(
            "One/guide.txt in the copy with this name was changed after the copy was made")
        try sandbox.remove("backups/copy")
        try boxes.copy(to: copyURL)
        try sandbox.write("mine", to: "backups/copy/Two/Empty/mine.txt")
        try expectRefusal(
            "Two/Empty/mine.txt in the copy with this name was changed after the copy was made")
        try sandbox.remove("backups/copy")
        try boxes.copy(to: copyURL)
        try sandbox.boxes("backups/copy").append(Box(id: 9, folderName: "Nine"))
        #expect(throws: DirectoryError.self) { try boxes.copy(to: copyURL) }
        #expect(try sandbox.boxes("backups/copy").loaded().count == 3)
    }

    @Test func copyOfAnotherCollectionStays() throws {
        let others = try sandbox.boxes("others")
        try others.append(Box(id: 1, folderName: "One"))
        try others.copy(to: copyURL)
        try expectRefusal("there is a copy of another collection with this name")
        try sandbox.remove("backups/copy")
        try boxes.child(.notes, of: 1).copy(to: copyURL)
        try expectRefusal("there is something with this name")
    }

    @Test func whatOthersChangeInTheEarlierCopyMeanwhileStays() throws {
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "exchange ", "copy")
        let boxes = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", on: process)
        try boxes.copy(to: copyURL)
        interruption.set { [sandbox] in
            try sandbox.write("mine", to: "backups/copy/One/guide.txt")
        }
        let error = #expect(throws: DirectoryError.self) { try boxes.copy(to: copyURL) }
        #expect(error?.code == .nameTaken)
        #expect(interruption.hasRun)
        #expect(try sandbox.text("backups/copy/One/guide.txt") == "mine")
        #expect(try sandbox.paths().filter { $0.hasPrefix("backups/.") } == [])
    }

    @Test func onlyOneProcessTakesThePlaceOfACopy() throws {
        try boxes.copy(to: copyURL)
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "exchange ", "copy")
        let others = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", on: process)
        interruption.set { [self] in
            let error = #expect(throws: DirectoryError.self) { try boxes.copy(to: copyURL) }
            #expect(error?.code == .locked)
        }
        try others.copy(to: copyURL)
        #expect(interruption.hasRun)
        try expectCopy()
    }

    @Test func copyWhoseCollectionIsLockedStays() throws {
        try boxes.copy(to: copyURL)
        try sandbox.journaledNotes("backups/copy/One").write { _ in }
        let files = LocalFileSystem()
        let lock = try files.openFile(
            ".notes.lock", in: files.openFolder(at: sandbox.url("backups/copy/One").path),
            for: .read)
        #expect(try files.tryLock(lock))
        let error = withExtendedLifetime(lock) {
            #expect(throws: DirectoryError.self) { try boxes.copy(to: copyURL) }
        }
        #expect(error?.code == .locked)
    }

    @Test func emptyFolderBecomesACopy() throws {
        try sandbox.makeFolder("backups/copy")
        try boxes.copy(to: copyURL)
        try expectCopy()
    }
}
