import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Each kind of finding and its repair.
struct VerifyTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Expects findings of exactly `kinds`, a verification that changes nothing, and a repair that
    /// deletes no bytes and leaves nothing to repair.
    private func expectRepair<Item>(
        of directory: Directory<Item>, _ kinds: [Finding.Kind],
        at location: SourceLocation = #_sourceLocation, _ repair: () throws -> [Repair]
    ) throws {
        _ = try directory.verify()
        let (tree, contents) = try (sandbox.tree(), sandbox.contents())
        let findings = try directory.verify()
        #expect(findings.map(\.kind) == kinds, sourceLocation: location)
        #expect(try directory.verify() == findings, sourceLocation: location)
        #expect(try sandbox.tree() == tree, sourceLocation: location)

        let repairs = try repair()
        #expect(Set(repairs.map(\.finding)) == Set(findings), sourceLocation: location)
        try directory.checkpoint()
        try expectKept(contents, location)
        #expect(try directory.verify().isEmpty, sourceLocation: location)

        let repaired = try sandbox.tree()
        #expect(try directory.repair().isEmpty, sourceLocation: location)
        #expect(try sandbox.tree() == repaired, sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
    }

    /// Expects that each file, or each of its lines if it is an index, is still in some file.
    private func expectKept(_ contents: Set<Data>, _ location: SourceLocation) throws {
        let after = try sandbox.contents()
        let text = after.map { String(decoding: $0, as: UTF8.self) }.joined()
        for bytes in contents.subtracting(after) {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            for line in lines {
                let element = line.hasSuffix(",") ? line.dropLast() : line
                let isKept = text.contains(element) || Int(element) != nil
                #expect(isKept, "\(element)", sourceLocation: location)
            }
        }
    }

    @Test func assetsOfContainersAreNoUnknownFolder() throws {
        struct Folio: Container, Asset {
            var id: Int
            var fileName: String
        }
        let folios = try Directory<Folio>(at: sandbox.url, index: "folios.json")
        let file = try sandbox.write("a page", to: "in/page")
        try folios.insert(copying: [file]) { _ in Folio(id: 1, fileName: "page") }
        try FileManager.default.removeItem(at: sandbox.url("in"))
        #expect(try folios.verify() == [])
        #expect(try folios.repair().isEmpty)
        #expect(try folios.data(of: 1) == Data("a page".utf8))
        // The folder of an item without its file is set aside like the item.
        try folios.child(.notes, of: 1).append(.eggs)
        try sandbox.remove("folios/page")
        try expectRepair(of: folios, [.missingAsset]) { try folios.repair() }
        #expect(folios.isEmpty)
    }

    @Test func soundCollectionHasNoFindings() throws {
        let photos = try sandbox.photos()
        try photos.insert([Data([1]), Data([2])])
        #expect(try photos.verify().isEmpty)
        let tree = try sandbox.tree()
        #expect(try photos.repair().isEmpty)
        #expect(try sandbox.tree() == tree)
    }

    @Test(arguments: ["file", "link", "pipe"])
    func whatIsInPlaceOfAFolderIsSetAside(_ kind: String) throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.move("One", to: "moved")
        switch kind {
        case "file": try sandbox.write("text", to: "One")
        case "link": try sandbox.makeSymbolicLink("One", to: sandbox.url("moved"))
        default: try sandbox.makePipe("One")
        }
        let error = expectError(.nameTaken) { try boxes.child(.notes, of: 1) }
        #expect(error?.errorDescription?.contains("One") == true)
        #expect(error?.recoverySuggestion != nil)
        let findings = try boxes.verify()
        #expect(findings.map(\.kind) == [.unknownFolder, .unknownFile])
        #expect(findings.last?.path.hasSuffix("/One") == true)
        _ = try boxes.repair()
        #expect(try boxes.notes(of: 1).isEmpty)
    }

    @Test func missingAssetIsSetAside() throws {
        let photos = try sandbox.photos()
        let inserted = try photos.insert([Data([1]), Data([2])])
        try sandbox.remove("photos/\(inserted[0].fileName)")
        let path = sandbox.url("photos/\(inserted[0].fileName)").path
        #expect(try photos.verify().map(\.path) == [path])
        try expectRepair(of: photos, [.missingAsset]) { try photos.repair() }
        #expect(Array(photos.items) == [inserted[1]])
        #expect(try sandbox.tree("photos.recovered").count == 1)
    }

    @Test func repairsAreCodable() throws {
        let photos = try sandbox.photos()
        try sandbox.write("one", to: "photos/one.jpg")
        let repairs = try photos.repair()
        let json = try JSONEncoder().encode(repairs)
        #expect(repairs.count == 1)
        #expect(try JSONDecoder().decode([Repair].self, from: json) == repairs)
    }

    @Test func orphanPhotoGetsAnItem() throws {
        let photos = try sandbox.photos()
        try photos.insert(Data([1]))
        let id = UUID()
        try sandbox.write("one", to: "photos/\(id).jpg")
        try sandbox.write("two", to: "photos/two.txt")
        try sandbox.write("hidden", to: "photos/.DS_Store")
        try expectRepair(of: photos, [.orphanAsset, .orphanAsset]) { try photos.repair() }
        #expect(photos.count == 3)
        #expect(try photos.data(of: id) == Data("one".utf8))
        #expect(photos.items.contains { $0.fileName == "two.txt" && $0.byteCount == 3 })
    }

    @Test func whatIsNoFileAmongTheAssetsIsSetAside() throws {
        let photos = try sandbox.photos()
        let photo = try photos.insert(Data([1]))
        let name = photo.fileName
        try sandbox.move("photos/\(name)", to: "elsewhere")
        try sandbox.makeSymbolicLink("photos/\(name)", to: sandbox.url("elsewhere"))
        try sandbox.makePipe("photos/pipe")
        try sandbox.makeFolder("photos/folder")
        try expectRepair(
            of: photos, [.missingAsset, .unknownFile, .unknownFile, .unknownFile]
        ) { try photos.repair() }
    }

    @Test func hiddenFileAmongTheAssetsIsReportedAndStays() throws {
        let photos = try sandbox.photos()
        try photos.insert(Data([1]))
        try sandbox.write("hidden", to: "photos/.hidden")
        #expect(try photos.verify().map(\.kind) == [.unknownFile])
        #expect(try photos.repair().isEmpty)
        #expect(sandbox.exists("photos/.hidden"))
    }

    @Test func fileInAContainerIsReportedOnceAndStays() throws {
        let boxes = try sandbox.twoBoxes()
        let (notes, photos) = try (boxes.child(.notes, of: 1), boxes.child(.photos, of: 1))
        try photos.insert(Data([1]))
        try sandbox.write("stray", to: "One/stray.txt")
        try sandbox.makeSymbolicLink("One/link", to: sandbox.url("Two"))
        try sandbox.write("hidden", to: "One/.hidden")
        // Beside an index that is in no container, other files of the app are at home.
        try sandbox.write("settings", to: "settings.plist")
        let findings = try notes.verify()
        #expect(findings.map(\.kind) == [.unknownFile, .unknownFile])
        #expect(
            findings.map { URL(filePath: $0.path).lastPathComponent } == ["stray.txt", "link"])
        #expect(try notes.repair().isEmpty)
        #expect(try sandbox.text("One/stray.txt") == "stray")
        #expect(try photos.verify().isEmpty && boxes.verify().isEmpty)
    }

    @Test func twoOrphansWithOneIDGetTwoItems() throws {
        let photos = try sandbox.photos()
        let id = UUID()
        try sandbox.write("one", to: "photos/\(id).jpg")
        try sandbox.write("two", to: "photos/\(id).png")
        try expectRepair(of: photos, [.orphanAsset, .orphanAsset]) { try photos.repair() }
        #expect(try Set(photos.items.map { try photos.data(of: $0.id) }).count == 2)
    }

    @Test func orphanWhoseNameDiffersInCaseOnlyIsSetAside() throws {
        let photos = try sandbox.photos()
        let inserted = try photos.insert(Data([1]), name: "a.jpg")
        try sandbox.write("A", to: "photos/\(inserted.fileName.lowercased())")
        try sandbox.write("b", to: "photos/b.jpg")
        try sandbox.write("B", to: "photos/B.jpg")
        try expectRepair(of: photos, [.orphanAsset, .orphanAsset, .orphanAsset]) {
            try photos.repair()
        }
        #expect(photos.count == 2)
    }

    @Test func orphanWithoutANewItemIsSetAside() throws {
        let pieces = try sandbox.pieces()
        try sandbox.write("a", to: "pieces/a")
        try sandbox.write("b", to: "pieces/b")
        try sandbox.write("an older one", to: "pieces.recovered/a")
        try expectRepair(of: pieces, [.orphanAsset, .orphanAsset]) {
            try pieces.repair { orphan in
                orphan.fileName == "b" ? Piece(id: 1, fileName: orphan.fileName) : nil
            }
        }
        #expect(try pieces.data(of: 1) == Data("b".utf8))
        #expect(try sandbox.contents("pieces.recovered").contains(Data("a".utf8)))
    }

    @Test func secondFileWithALongNameIsSetAside() throws {
        let pieces = try sandbox.pieces()
        let name = String(repeating: "\u{1F4F7}", count: 60)
        try sandbox.write("older", to: "pieces.recovered/\(name)")
        try sandbox.write("newer", to: "pieces/\(name)")
        try expectRepair(of: pieces, [.orphanAsset]) { try pieces.repair() }
    }

    @Test func unknownFolderIsSetAside() throws {
        let boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        try sandbox.write("mine", to: "Unknown/deep/mine.txt")
        try sandbox.makeFolder("empty")
        try sandbox.write("file", to: "file.txt")
        try expectRepair(of: boxes, [.unknownFolder]) { try boxes.repair() }
        #expect(try sandbox.text("boxes.recovered/Unknown/deep/mine.txt") == "mine")
        #expect(sandbox.exists("One") && sandbox.exists("empty") && sandbox.exists("file.txt"))
    }

    @Test func foldersOfSiblingCollectionsAreNotUnknown() throws {
        let boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        let people = try Directory<OtherBox>(at: sandbox.url, index: "people.json")
        try people.append(OtherBox(id: 1, folderName: "Ada"))
        try people.child(.notes, of: 1).append(.eggs)
        try boxes.child(.notes, of: 1).append(.eggs)
        #expect(try boxes.verify().isEmpty && people.verify().isEmpty)
        let photos = try sandbox.photos()
        try photos.insert(Data([1]))
        #expect(try boxes.verify().isEmpty && photos.verify().isEmpty)
    }

    @Test func duplicateAndUndecodableElementsAreSetAside() throws {
        let lines = [
            #"{"id":1,"title":"Eggs"}"#, #"{"id":1,"title":"Other eggs"}"#,
            #"{"id":"x","extra":[1, 2]}"#, "null", #"{"id":2,"title":"Milk"}"#,
        ]
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "notes.json")
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try expectRepair(of: notes, [.duplicateID, .undecodableItem, .undecodableItem]) {
            try notes.repair()
        }
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(try sandbox.text("notes.json").split(separator: "\n").count == 4)
    }

    @Test func fileOfAnUndecodablePhotoStays() throws {
        let photos = try sandbox.photos()
        let inserted = try photos.insert([Data([1]), Data([2])])
        let text = try sandbox.text("photos.json")
        let damaged = text.replacing(
            #""date":"#, with: #""day":"#, maxReplacements: 1)
        try #require(damaged != text)
        try sandbox.write(damaged, to: "photos.json")
        #expect(try photos.verify().map(\.kind) == [.undecodableItem, .orphanAsset])
        let tree = try sandbox.tree()
        #expect(try photos.repair() == [])
        #expect(try sandbox.tree() == tree)
        try photos.migrateDamagedItems { _ in inserted[0] }
        #expect(try photos.data(of: inserted[0].id) == Data([1]))
        #expect(try photos.verify() == [])
    }

    @Test func findingsAreCodable() throws {
        try sandbox.write("x", to: "photos/x")
        let findings = try sandbox.photos().verify()
        let data = try JSONEncoder().encode(findings)
        #expect(try JSONDecoder().decode([Finding].self, from: data) == findings)
        #expect(String(decoding: data, as: UTF8.self).contains(#""kind":"orphanAsset""#))
    }

    @Test func damagedIndexCannotBeRepaired() throws {
        try sandbox.write("[{", to: "boxes.json")
        try sandbox.write("mine", to: "One/mine.txt")
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json")
        let tree = try sandbox.tree()
        expectError(.damagedIndex) { try boxes.verify() }
        expectError(.damagedIndex) { try boxes.repair() }
        #expect(try sandbox.tree() == tree)
    }
}
