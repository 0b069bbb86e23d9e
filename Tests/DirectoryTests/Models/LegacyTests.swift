import DirectoryTestSupport
import Foundation
import FileSystem
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// The model of a project in the sample app of the seed library.
private struct LegacyProject: Container, Hashable {
    var id: UUID
    var name: String
    var folderName: String { "Project_" + name.filter(\.isLetter) }
}

/// Stores that releases 1 and 5 of the seed library wrote.
@Suite(.timeLimit(.minutes(30))) struct LegacyTests {
    let sandbox: Sandbox

    static let layouts = ["1.x", "5.x"]

    init() throws { sandbox = try Sandbox() }

    private func copy(_ layout: String) throws -> Directory<LegacyProject> {
        let original = Fixtures.url.appending(path: "legacy/\(layout)/Projects")
        try FileManager.default.copyItem(at: original, to: sandbox.url("Projects"))
        let projects = try Directory<LegacyProject>(
            at: sandbox.url("Projects"), index: "projects.json")
        try projects.load()
        return projects
    }

    private func photos(of name: String, in projects: Directory<LegacyProject>) throws
        -> Directory<Photo>
    {
        let project = try #require(projects.items.first { $0.name == name })
        let photos = try projects.child(.photos, of: project.id)
        try photos.load()
        return photos
    }

    private func assets(_ folder: String = "Photos") throws -> [String: Sandbox.Entry] {
        try sandbox.tree("Projects/Project_Apollo/\(folder)")
    }

    @Test(arguments: layouts) func everyPhotoIsRead(_ layout: String) throws {
        let projects = try copy(layout)
        #expect(projects.items.map(\.name) == ["Apollo", "Deep Field"])
        for (name, count) in [("Apollo", 3), ("Deep Field", 1)] {
            let photos = try photos(of: name, in: projects)
            #expect(photos.count == count)
            for photo in photos.items {
                let bytes = try photos.data(of: photo.id)
                #expect(bytes.count == photo.byteCount && bytes.count > 10_000)
                #expect(photo.fileName == photo.id.uuidString)
            }
            #expect(photos.damagedItems.isEmpty)
            #expect(try photos.readFirst() == photos.data(of: photos.items[0].id))
        }
    }

    @Test(arguments: layouts) func readingChangesNothing(_ layout: String) throws {
        let projects = try copy(layout)
        let tree = try sandbox.tree()
        let photos = try photos(of: "Apollo", in: projects)
        for photo in photos.items { _ = try photos.data(of: photo.id) }
        try photos.load()
        #expect(try sandbox.tree() == tree)
    }

    @Test(arguments: layouts) func verificationFindsNothingAndMakesLockFilesOnly(_ layout: String)
        throws
    {
        let projects = try copy(layout)
        let tree = try sandbox.tree()
        #expect(try projects.verify().isEmpty)
        #expect(try photos(of: "Apollo", in: projects).verify().isEmpty)
        #expect(try sandbox.tree().filter { !$0.key.hasSuffix(".lock") } == tree)
    }

    @Test func dateIsThatOfTheRecordOrOfTheFile() throws {
        let apollo = try photos(of: "Apollo", in: copy("1.x"))
        #expect(
            apollo.items.map { $0.date.timeIntervalSinceReferenceDate }
                == [646_000_000.25, 645_999_000.25, 645_998_000.25])
        try sandbox.remove("Projects")
        let projects = try copy("5.x")
        for path in try assets().keys {
            try sandbox.setAge(1_000_000, of: "Projects/Project_Apollo/Photos/\(path)")
        }
        let newer = try photos(of: "Apollo", in: projects)
        #expect(newer.items.allSatisfy { abs($0.date.timeIntervalSinceNow + 1_000_000) < 1000 })
    }

    /// The collection as another process opens it: a copy at the same path has another inode.
    private func reopened() throws -> Directory<LegacyProject> {
        try sandbox.move("Projects", to: "Moved")
        try FileManager.default.copyItem(at: sandbox.url("Moved"), to: sandbox.url("Projects"))
        try sandbox.remove("Moved")
        let projects = try Directory<LegacyProject>(
            at: sandbox.url("Projects"), index: "projects.json")
        try projects.load()
        return projects
    }

    @Test(arguments: layouts) func firstChangeConvertsTheStore(_ layout: String) throws {
        let apollo = try photos(of: "Apollo", in: copy(layout))
        let (files, before) = try (assets(), Array(apollo.items))
        try apollo.move(fromOffsets: [2], toOffset: 0)
        #expect(!sandbox.exists("Projects/Project_Apollo/Photos"))
        #expect(try assets("photos") == files)
        let index = try sandbox.text("Projects/Project_Apollo/photos.json")
        #expect(index.split(separator: "\n").count == 5)
        #expect(index.contains(#""byteCount":"#) && !index.contains(#""item":"#))

        let anew = try photos(of: "Apollo", in: reopened())
        #expect(Array(anew.items) == [before[2], before[0], before[1]])
        #expect(
            try anew.items.map { try anew.data(of: $0.id).count } == anew.items.map(\.byteCount))
        #expect(try anew.verify().isEmpty)
    }

    @Test(arguments: layouts) func removingOnePhotoRemovesOneFile(_ layout: String) throws {
        let apollo = try photos(of: "Apollo", in: copy(layout))
        var expected = try assets()
        let photo = apollo.items[1]
        try apollo.remove(id: photo.id)
        try apollo.checkpoint()
        expected[photo.fileName] = nil
        #expect(try assets("photos") == expected)
        #expect(expected.count == 2)
        #expect(!sandbox.exists("Projects/Project_Apollo/Photos"))
        #expect(try apollo.verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test(arguments: layouts) func newPhotoIsStoredBesideTheOldOnes(_ layout: String) throws {
        let apollo = try photos(of: "Apollo", in: copy(layout))
        var expected = try assets()
        let photo = try apollo.insert(Data([0xFF, 0xD8, 0xFF]))
        expected[photo.fileName] = .file(Data([0xFF, 0xD8, 0xFF]), mode: 0o600)
        #expect(try assets("photos") == expected)
        #expect(apollo.count == 4)
        #expect(try apollo.verify().isEmpty)
    }

    @Test func projectIsRenamedAndRemovedWithItsPhotos() throws {
        let projects = try copy("5.x")
        let (apollo, deep) = (projects.items[0], projects.items[1])
        let files = try assets()
        try projects.update(id: apollo.id) { $0.name = "Gemini" }
        #expect(try sandbox.tree("Projects/Project_Gemini/Photos") == files)
        #expect(try photos(of: "Gemini", in: projects).count == 3)
        try projects.remove(id: deep.id)
        try projects.checkpoint()
        #expect(!sandbox.exists("Projects/Project_DeepField"))
        #expect(try projects.verify().isEmpty)
    }

    @Test(arguments: layouts) func photoIsTransferredWithItsFile(_ layout: String) throws {
        let projects = try copy(layout)
        let (apollo, deep) = try (
            photos(of: "Apollo", in: projects), photos(of: "Deep Field", in: projects)
        )
        let photo = apollo.items[0]
        let bytes = try apollo.data(of: photo.id)
        try apollo.transfer([photo.id], to: deep)
        #expect(try deep.data(of: photo.id) == bytes)
        #expect(deep[id: photo.id] == photo)
        #expect(apollo.count == 2 && deep.count == 2)
        #expect(try apollo.verify().isEmpty && deep.verify().isEmpty)
        try deep.insert(Data([1]))
        #expect(try deep.verify().isEmpty)
    }

    @Test(arguments: layouts, 1...3) func interruptedConversionIsCompleted(
        _ layout: String, moved: Int
    ) throws {
        _ = try copy(layout)
        let files = try assets()
        try sandbox.makeFolder("Projects/Project_Apollo/photos")
        for name in files.keys.sorted().prefix(moved) {
            try sandbox.move(
                "Projects/Project_Apollo/Photos/\(name)",
                to: "Projects/Project_Apollo/photos/\(name)")
        }
        let apollo = try photos(of: "Apollo", in: reopened())
        #expect(
            try apollo.items.map { try apollo.data(of: $0.id).count }
                == apollo.items.map(\.byteCount))
        #expect(try apollo.verify().isEmpty)
        try apollo.move(fromOffsets: [0], toOffset: 2)
        #expect(try assets("photos") == files)
        #expect(!sandbox.exists("Projects/Project_Apollo/Photos"))
    }

    @Test func unknownFilesInTheOldFolderStay() throws {
        let apollo = try photos(of: "Apollo", in: copy("5.x"))
        let files = try assets()
        let name = try #require(files.keys.sorted().first)
        try sandbox.write("mine", to: "Projects/Project_Apollo/Photos/mine.txt")
        try sandbox.write("twice", to: "Projects/Project_Apollo/photos/\(name)")
        try apollo.move(fromOffsets: [0], toOffset: 2)
        #expect(try sandbox.text("Projects/Project_Apollo/Photos/mine.txt") == "mine")
        #expect(try sandbox.text("Projects/Project_Apollo/photos/\(name)") == "twice")
        #expect(try assets()[name] == files[name])
        #expect(try apollo.verify().map(\.kind).contains(.orphanAsset))
    }

    /// A sync program can bring an old file back.
    @Test func aRemovedPhotoDoesNotComeBackFromTheOldFolder() throws {
        let apollo = try photos(of: "Apollo", in: copy("5.x"))
        try apollo.move(fromOffsets: [0], toOffset: 2)
        let photo = apollo.items[0]
        try sandbox.write("old", to: "Projects/Project_Apollo/Photos/\(photo.fileName)")
        try apollo.remove(id: photo.id)
        try apollo.checkpoint()
        #expect(!sandbox.exists("Projects/Project_Apollo/Photos"))
        #expect(try apollo.repair().isEmpty)
        #expect(apollo[id: photo.id] == nil)
    }

    @Test func orphansOfBothFoldersAreRepaired() throws {
        let apollo = try photos(of: "Apollo", in: copy("5.x"))
        let id = UUID()
        try sandbox.write("old", to: "Projects/Project_Apollo/Photos/\(id)")
        try sandbox.write("new", to: "Projects/Project_Apollo/photos/\(id)")
        #expect(try apollo.verify().map(\.kind) == [.orphanAsset, .orphanAsset])
        #expect(try apollo.repair().count == 2)
        #expect(apollo.count == 4)
        #expect(try apollo.data(of: id) == Data("new".utf8))
        #expect(try sandbox.contents().contains(Data("old".utf8)))
        #expect(try apollo.verify().isEmpty)
    }

    @Test func recordOfAMissingFileStays() throws {
        let projects = try copy("5.x")
        let path = try #require(assets().keys.sorted().first)
        try sandbox.remove("Projects/Project_Apollo/Photos/\(path)")
        let apollo = try photos(of: "Apollo", in: projects)
        #expect(apollo.count == 3)
        #expect(try apollo.verify().map(\.kind) == [.missingAsset])
        try apollo.move(fromOffsets: [0], toOffset: 2)
        #expect(apollo.count == 3)
        #expect(try photos(of: "Apollo", in: reopened()).count == 3)
    }
}
