import DirectoryTestSupport
import Directory
import Foundation
import TestSupport
import Testing

/// Items get the files of a stage in the draft of a write.
struct ReplacingTests {
    let sandbox: Sandbox
    let pieces: Directory<Piece>

    init() throws {
        sandbox = try Sandbox()
        pieces = try sandbox.pieces("store")
        let stage = try pieces.makeStage()
        for name in ["a", "b", "c"] { try stage.write(Data("old \(name)".utf8), name: name) }
        try pieces.insert(stage) { staged in
            Piece(id: Int(staged.name.utf8.first ?? 0), fileName: "\(staged.name).txt")
        }
    }

    /// A stage with files that have these bytes.
    private func stage(_ texts: String...) throws -> Stage {
        let stage = try pieces.makeStage()
        for text in texts { try stage.write(Data(text.utf8), name: "\(text).txt") }
        return stage
    }

    private func texts() throws -> [String] {
        try pieces.items.map { String(decoding: try pieces.data(of: $0.id), as: UTF8.self) }
    }

    private func expectWhole(at location: SourceLocation = #_sourceLocation) throws {
        try pieces.checkpoint()
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
        #expect(try pieces.verify().isEmpty, sourceLocation: location)
        #expect(
            try sandbox.tree("store/pieces").count == pieces.count, sourceLocation: location)
    }

    @Test func insertReplaceAndRemoveAreOneCommit() throws {
        let stage = try stage("new", "better")
        let index = try sandbox.text("store/pieces.json")
        try pieces.write(importing: stage) { draft, assets in
            try draft.insert(Piece(id: 1, fileName: "1.txt"), at: 0, file: assets[0])
            var b = try #require(draft[id: 98])
            b.fileName = assets[1].fileName(replacing: b.fileName)
            try draft.update(b, file: assets[1])
            try draft.remove(id: 97)
            #expect(try sandbox.text("store/pieces.json") == index)
            #expect(sandbox.exists("store/pieces/b.txt"))
        }
        #expect(pieces.items.map(\.id) == [1, 98, 99])
        #expect(try texts() == ["new", "better", "old c"])
        #expect(pieces[id: 98]?.fileName == "b-2.txt")
        try expectWhole()
    }

    @Test func filesThatNoItemGetsAreRemovedAndTheirSourcesStay() throws {
        let stage = try pieces.makeStage()
        try stage.move(sandbox.write("used", to: "used"))
        try stage.move(sandbox.write("unused", to: "unused"))
        let count = try pieces.write(importing: stage) { draft, assets in
            try draft.append(Piece(id: 1, fileName: "1"), file: assets[0])
            return assets.count
        }
        #expect(count == 2)
        #expect(!sandbox.exists("used") && sandbox.exists("unused"))
        try expectWhole()
        let unused = try self.stage("x")
        try pieces.write(importing: unused) { draft, _ in try draft.remove(id: 97) }
        expectError(.stageClosed) { try unused.write(Data()) }
        try expectWhole()
    }

    @Test func aMissingFileComesBackUnderItsName() throws {
        try sandbox.remove("store/pieces/b.txt")
        let stage = try stage("new")
        try pieces.write(importing: stage) { draft, assets in
            try draft.update(Piece(id: 98, fileName: "b.txt"), file: assets[0])
        }
        #expect(try texts() == ["old a", "new", "old c"])
        try expectWhole()
    }

    @Test func nameOfAnOldFileIsTaken() throws {
        for name in ["b.txt", "B.TXT", "a.txt"] {
            let stage = try stage("new")
            expectError(.nameTaken) {
                try pieces.write(importing: stage) { draft, assets in
                    try draft.update(Piece(id: 98, fileName: name), file: assets[0])
                    try draft.remove(id: 97)
                }
            }
            #expect(try texts() == ["old a", "old b", "old c"])
            #expect(stage.assets.count == 1)
            try stage.discard()
        }
        try expectWhole()
    }

    @Test func fileNameChangesOnlyWithAFile() throws {
        let stage = try stage("new")
        expectError(.invalidName) { try pieces.update(Piece(id: 98, fileName: "other")) }
        expectError(.invalidName) {
            try pieces.write(importing: stage) { draft, assets in
                try draft.append(Piece(id: 1, fileName: "x"), file: assets[0])
                try draft.update(Piece(id: 98, fileName: "other"))
            }
        }
        expectError(.assetMissing) {
            try pieces.write(importing: stage) { draft, _ in
                try draft.append(Piece(id: 1, fileName: "x"))
            }
        }
        #expect(try texts() == ["old a", "old b", "old c"])
    }

    @Test func fileBelongsToOneItemOfOneWrite() throws {
        let (stage, other) = try (stage("new"), stage("other"))
        expectError(.stageClosed) {
            try pieces.write(importing: stage) { draft, assets in
                try draft.append(Piece(id: 1, fileName: "1"), file: assets[0])
                try draft.append(Piece(id: 2, fileName: "2"), file: assets[0])
            }
        }
        expectError(.stageClosed) {
            try pieces.write(importing: stage) { draft, _ in
                try draft.append(Piece(id: 1, fileName: "1"), file: other.assets[0])
            }
        }
        expectError(.stageClosed) {
            try pieces.write { draft in
                try draft.append(Piece(id: 1, fileName: "1"), file: stage.assets[0])
            }
        }
        // An item that is removed again gives its file back.
        try pieces.write(importing: stage) { draft, assets in
            try draft.append(Piece(id: 1, fileName: "1"), file: assets[0])
            try draft.remove(id: 1)
            try draft.append(Piece(id: 2, fileName: "2"), file: assets[0])
        }
        #expect(try texts() == ["old a", "old b", "old c", "new"])
        try other.discard()
        try expectWhole()
    }

    @Test func photoGetsAnotherFileAndKeepsItsID() throws {
        let photos = try sandbox.photos("photos")
        let old = try photos.insert(Data("old".utf8), name: "moon.jpg")
        let source = try sandbox.write("new and longer", to: "sun.png")
        let progress = Progress(totalUnitCount: 0)
        let new = try photos.replaceFile(of: old.id, copying: source, progress: progress)
        #expect(new.id == old.id && new.name == "moon.jpg" && new.byteCount == 14)
        #expect(new.fileName == "\(old.id)-2.png")
        #expect(Array(photos.items) == [new])
        #expect(try photos.data(of: old.id) == Data("new and longer".utf8))
        #expect(progress.isFinished && progress.totalUnitCount == 14)
        expectError(.itemNotFound) { try photos.replaceFile(of: UUID(), copying: source) }
        try photos.checkpoint()
        #expect(try sandbox.tree("photos/photos").count == 1)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test(arguments: [
        ("moon", "moon-2.png"), ("moon.jpg", "moon-2.png"), ("moon-2.png", "moon-3.png"),
        ("a-b", "a-b-2.png"), ("moon-999.jpg", "moon-1000.png"), ("7-1234", "7-1234-2.png"),
        ("//é.jpg", "//é-2.png"), (".moon", ".moon-2.png"),
    ])
    func newFileNameHasTheNextNumber(_ old: String, _ new: String) throws {
        let staged = try StagedAsset(Data(), name: "x.PNG")
        defer { try? staged.discard() }
        #expect(staged.fileName(replacing: old) == new)
        let plain = try StagedAsset(Data())
        defer { try? plain.discard() }
        #expect(plain.fileName(replacing: old) == String(new.dropLast(4)))
    }
}
