import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import TestSupport
import Testing

struct AssetTests {
    let sandbox: Sandbox
    let pieces: Directory<Piece>

    init() throws {
        sandbox = try Sandbox()
        pieces = try sandbox.pieces()
        let stage = try pieces.makeStage()
        for name in ["a", "b", "c"] { try stage.write(Data(name.utf8), name: name) }
        var id = 0
        try pieces.insert(stage) { staged in
            id += 1
            return Piece(id: id, fileName: "\(staged.name).txt")
        }
    }

    @Test func urlAndDataAreThoseOfTheFile() throws {
        #expect(try pieces.url(of: 2).path == sandbox.url("pieces/b.txt").path)
        #expect(try pieces.data(of: 2) == Data("b".utf8))
        expectError(.itemNotFound) { try pieces.url(of: 4) }
        expectError(.itemNotFound) { try pieces.data(of: 4) }
    }

    @Test func usualFileNameIsTheIDWithTheExtensionOrWithoutADot() throws {
        let stage = try pieces.makeStage()
        let named = try stage.write(Data("x".utf8), name: "Moon.JPG")
        let unnamed = try stage.write(Data("y".utf8))
        #expect(named.fileName(for: 17) == "17.jpg")
        #expect(unnamed.fileName(for: 18) == "18")
        var id = 16
        try pieces.insert(stage) { staged in
            id += 1
            return Piece(id: id, fileName: staged.fileName(for: id))
        }
        #expect(try pieces.data(of: 17) == Data("x".utf8))
        #expect(sandbox.exists("pieces/18"))
    }

    @Test func fileThatIsRemovedWhileItIsLookedForIsMissing() throws {
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "open", "/b.txt")
        let pieces = try Directory<Piece>(
            at: sandbox.url, index: pieces.url.lastPathComponent, on: process)
        try pieces.load()
        interruption.set { [sandbox] in try sandbox.remove("pieces/b.txt") }
        expectError(.assetMissing) { try pieces.data(of: 2) }
        #expect(interruption.hasRun)
    }

    @Test func missingFileIsAnErrorButItsItemCanBeRemoved() throws {
        try sandbox.remove("pieces/b.txt")
        expectError(.assetMissing) { try pieces.url(of: 2) }
        expectError(.assetMissing) { try pieces.data(of: 2) }
        try sandbox.makeFolder("pieces/b.txt")
        expectError(.assetMissing) { try pieces.data(of: 2) }
        try sandbox.remove("pieces")
        expectError(.assetMissing) { try pieces.data(of: 1) }
        try pieces.remove(id: 1)
        #expect(pieces.items.map(\.id) == [2, 3])
    }

    @Test func removingOneAssetRemovesOneFile() throws {
        var expected = try sandbox.tree("pieces")
        expected["b.txt"] = nil
        try pieces.remove(id: 2)
        #expect(try sandbox.tree("pieces") == expected)
        #expect(expected.count == 2)
        try pieces.checkpoint()
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try pieces.verify().isEmpty)
    }

    @Test func unknownFilesInTheAssetsFolderStay() throws {
        try sandbox.write("mine", to: "pieces/mine.txt")
        try sandbox.write("mine", to: "pieces/B.txt")
        for id in 1...3 { try pieces.remove(id: id) }
        try pieces.checkpoint()
        #expect(try Set(sandbox.tree("pieces").keys) == ["mine.txt", "B.txt"])
    }

    @Test func itemWithoutItsFileCannotBeAdded() throws {
        let tree = try sandbox.tree()
        for name in ["d.txt", "A.TXT "] {
            expectError(.assetMissing) { try pieces.append(Piece(id: 4, fileName: name)) }
        }
        #expect(try sandbox.tree() == tree)
        try sandbox.write("d", to: "pieces/d.txt")
        try pieces.append(Piece(id: 4, fileName: "d.txt"))
        #expect(try pieces.data(of: 4) == Data("d".utf8))
    }

    @Test func twoItemsCannotHaveTheSameFile() throws {
        expectError(.nameTaken) { try pieces.append(Piece(id: 4, fileName: "b.txt")) }
        expectError(.nameTaken) { try pieces.append(Piece(id: 4, fileName: "B.TXT")) }
    }

    @Test(arguments: ["d.txt", "A.txt", "a\u{301}.txt", "../a.txt"])
    func fileNameCannotChange(_ name: String) throws {
        let tree = try sandbox.tree()
        expectError(.invalidName) { try pieces.update(id: 1) { $0.fileName = name } }
        #expect(try sandbox.tree() == tree)
        try pieces.update(id: 1) { $0.title = "new" }
        #expect(try pieces.data(of: 1) == Data("a".utf8))
    }

    @Test func normalisationOfAFileNameCannotChange() throws {
        try sandbox.write("d", to: "pieces/\u{E4}.txt")
        try pieces.append(Piece(id: 4, fileName: "\u{E4}.txt"))
        expectError(.invalidName) { try pieces.update(id: 4) { $0.fileName = "a\u{308}.txt" } }
        #expect(try pieces.data(of: 4) == Data("d".utf8))
    }

    @Test func fileStaysIfAnotherItemTakesItInTheSameWrite() throws {
        try pieces.write { draft in
            try draft.remove(id: 1)
            try draft.append(Piece(id: 4, fileName: "a.txt"))
        }
        #expect(try pieces.data(of: 4) == Data("a".utf8))
        #expect(try pieces.verify().isEmpty)
    }

    /// A volume that ignores case takes both names for one file.
    @Test func fileStaysIfAnotherItemTakesItsNameInOtherCase() throws {
        try sandbox.write("A", to: "pieces/A.txt")
        try pieces.write { draft in
            try draft.remove(id: 1)
            try draft.append(Piece(id: 4, fileName: "A.txt"))
        }
        try pieces.checkpoint()
        #expect(try pieces.data(of: 4) == Data("A".utf8))
        #expect(sandbox.exists("pieces/a.txt"))
    }

    @Test func emptyCollectionHasNoAssetsFolder() throws {
        let empty = try sandbox.pieces("empty")
        #expect(try empty.verify().isEmpty)
        #expect(!sandbox.exists("empty"))
        expectError(.assetMissing) { try empty.append(Piece(id: 1, fileName: "a.txt")) }
        #expect(!sandbox.exists("empty/pieces"))
    }

    @Test func linkInPlaceOfAFileStaysWhenItsItemIsRemoved() throws {
        try sandbox.remove("pieces/b.txt")
        try sandbox.makeSymbolicLink("pieces/b.txt", to: sandbox.url)
        try pieces.remove(id: 2)
        try pieces.checkpoint()
        #expect(sandbox.status("pieces/b.txt")?.kind == .symbolicLink)
        #expect(try sandbox.leftovers().isEmpty)
    }
}
