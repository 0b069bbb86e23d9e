import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Undo of changes that remove, add or replace the files of assets.
struct UndoFileTests {
    let sandbox: Sandbox
    private let options = DirectoryOptions(undoLimit: 10)

    init() throws { sandbox = try Sandbox() }

    /// Three photographs.
    private func photos() throws -> Directory<Photo> {
        let photos = try sandbox.photos(options: options)
        try photos.insert(["one", "two", "three"].map { Data($0.utf8) })
        return photos
    }

    @Test func removedPhotosComeBackWithTheirFiles() throws {
        let photos = try photos()
        let before = try sandbox.visibleTree(photos)
        let ids = photos.items.map(\.id)
        try photos.remove(id: ids[1])
        let between = try sandbox.visibleTree(photos)
        try photos.remove(ids: [ids[0], ids[2]])
        #expect(try sandbox.tree("photos").isEmpty)
        try photos.undo()
        #expect(try sandbox.visibleTree(photos) == between)
        try photos.undo()
        #expect(try sandbox.visibleTree(photos) == before)
        #expect(try photos.data(of: ids[1]) == Data("two".utf8))
        try photos.redo()
        try photos.redo()
        #expect(try sandbox.tree("photos").isEmpty)
        #expect(try photos.verify().isEmpty)
    }

    @Test func importedPhotosAreTakenBackAndComeAgain() throws {
        let photos = try photos()
        let after = try sandbox.visibleTree(photos)
        try photos.undo()
        #expect(photos.isEmpty)
        #expect(try sandbox.tree("photos").isEmpty)
        try photos.redo()
        #expect(try sandbox.visibleTree(photos) == after)
        #expect(try photos.verify().isEmpty)
    }

    @Test func replacedFileComesBack() throws {
        let photos = try photos()
        let before = try sandbox.visibleTree(photos)
        let id = photos.items[1].id
        let stage = try photos.makeStage()
        try stage.write(Data("new".utf8), name: "new.jpg")
        _ = try photos.write(importing: stage) { draft, files in
            try draft.update(id: id, file: files[0]) { $0.replaceFile(by: files[0]) }
        }
        let after = try sandbox.visibleTree(photos)
        for _ in 0..<2 {
            #expect(try photos.data(of: id) == Data("new".utf8))
            try photos.undo()
            #expect(try photos.data(of: id) == Data("two".utf8))
            #expect(try sandbox.visibleTree(photos) == before)
            try photos.redo()
            #expect(try sandbox.visibleTree(photos) == after)
        }
        #expect(try photos.verify().isEmpty)
    }

    @Test func fileThatOthersWroteToIsAConflict() throws {
        let photos = try photos()
        let id = photos.items[1].id
        let url = try photos.url(of: id)
        try Data("edited".utf8).write(to: url)
        expectError(.undoConflict) { try photos.undo() }
        #expect(try photos.data(of: id) == Data("edited".utf8))
        #expect(photos.count == 3)

        let stage = try photos.makeStage()
        try stage.write(Data("new".utf8), name: "new.jpg")
        _ = try photos.write(importing: stage) { draft, files in
            try draft.update(id: id, file: files[0]) { $0.replaceFile(by: files[0]) }
        }
        let newURL = try photos.url(of: id)
        try Data("edited again".utf8).write(to: newURL)
        expectError(.undoConflict) { try photos.undo() }
        #expect(try photos.data(of: id) == Data("edited again".utf8))
        #expect(try photos.verify().isEmpty)
    }

    @Test func fileOfAnAssetThatIsGoneFromTheTrashIsAConflict() throws {
        let photos = try photos()
        try photos.remove(id: photos.items[0].id)
        photos.core.background.wait()
        try sandbox.remove(".trash")
        let before = try sandbox.visibleTree(photos)
        expectError(.undoConflict) { try photos.undo() }
        #expect(try sandbox.visibleTree(photos) == before)
        // Later changes can be undone.
        try photos.remove(id: photos.items[0].id)
        try photos.undo()
        #expect(try sandbox.visibleTree(photos) == before)
    }

    @Test func whatIsKeptIsLetGoWithItsStep() throws {
        let photos = try sandbox.photos(options: DirectoryOptions(undoLimit: 2))
        try photos.insert((0..<4).map { Data("photo \($0)".utf8) })
        for _ in 0..<3 { try photos.remove(id: photos.items[0].id) }
        try photos.checkpoint()
        #expect(try kept() == ["photo 1", "photo 2"])
        try photos.undo()
        try photos.checkpoint()
        #expect(try kept() == ["photo 1"])
        try photos.insert(Data("new".utf8))
        try photos.insert(Data("newer".utf8))
        try photos.checkpoint()
        #expect(try kept().isEmpty)
    }

    /// The contents of the files in the trash that are not empty.
    private func kept() throws -> [String] {
        guard sandbox.exists(".trash") else { return [] }
        return try sandbox.contents(".trash").filter { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    @Test func itemsWithFoldersAndFilesInMemoryComeBack() throws {
        let volume = MemoryVolume(at: sandbox.url)
        let photos = try photos()
        let id = photos.items[0].id
        try photos.remove(id: id)
        volume.fail(.noSpace)
        expectError(.noSpace) { try photos.undo() }
        try photos.undo()
        #expect(try photos.data(of: id) == Data("one".utf8))
    }
}
