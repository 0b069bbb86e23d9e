import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// The async twins of calls that wait for the disk.
struct AsyncTests {
    private let sandbox: Sandbox
    private let process: ProcessFileSystem
    /// The calls of the file system that a task made itself, so that it blocked its executor.
    private let blocking: Blocking

    private final class Blocking: Sendable {
        private let calls = Mutex<[String]>([])

        func note(_ call: String) {
            if withUnsafeCurrentTask(body: { $0 != nil }) { calls.withLock { $0.append(call) } }
        }

        /// The calls so far, which are forgotten.
        func take() -> [String] {
            calls.withLock { calls in
                defer { calls = [] }
                return calls
            }
        }
    }

    init() throws {
        let blocking = Blocking()
        sandbox = try Sandbox()
        self.blocking = blocking
        process = ProcessFileSystem(LocalFileSystem()) { _, call in
            blocking.note(call)
            return .works
        }
    }

    /// Expects that `body` leaves its thread to others while it works with files, and that it does
    /// work with files.
    private func expectUnblocked<Result>(
        _ name: String, _ body: () async throws -> Result
    ) async throws -> Result {
        let before = process.log.count
        _ = blocking.take()
        let result = try await body()
        #expect(blocking.take() == [], "\(name)")
        #expect(process.log.count > before, "\(name)")
        return result
    }

    private func opened<Item>(_ index: String) throws -> Directory<Item> {
        try Directory<Item>(at: sandbox.url, index: "\(index).json", on: process)
    }

    @Test func changesBlockNoExecutor() async throws {
        let notes: Directory<Note> = try opened("notes")
        try await expectUnblocked("load") { try await notes.load() }
        try await expectUnblocked("append") { try await notes.append(.salt) }
        try await expectUnblocked("append") { try await notes.append(contentsOf: [.milk]) }
        try await expectUnblocked("insert") { try await notes.insert(.eggs, at: 0) }
        try await expectUnblocked("insert") { try await notes.insert(Note(id: 4, title: "A")) }
        try await expectUnblocked("update") { try await notes.update(Note(id: 4, title: "B")) }
        try await expectUnblocked("update") { try await notes.update(id: 4) { $0.title = "Z" } }
        try await expectUnblocked("updateOrAppend") { try await notes.updateOrAppend(.salt) }
        try await expectUnblocked("move") { try await notes.move(fromOffsets: [0], toOffset: 2) }
        try await expectUnblocked("move") { try await notes.move(from: [3], to: 0) }
        try await expectUnblocked("sort") { try await notes.sort() }
        #expect(notes.items.map(\.title) == ["Eggs", "Milk", "Salt", "Z"])
        try await expectUnblocked("sort") {
            try await notes.sort(using: KeyPathComparator(\.id, order: .reverse))
        }
        #expect(notes.items.map(\.id) == [4, 3, 2, 1])
        try await expectUnblocked("remove") { try await notes.remove(id: 4) }
        try await expectUnblocked("remove") { try await notes.remove(ids: [3]) }
        try await expectUnblocked("removeAll") { try await notes.removeAll { $0 == .milk } }
        try await expectUnblocked("delete") { try await notes.delete(item: .eggs) }
        try await expectUnblocked("write") { try await notes.write { try $0.append(.eggs) } }
        try await expectUnblocked("delete") { try await notes.delete(at: [0]) }
        #expect(notes.isEmpty)
        await expectError(.indexOutOfRange) { try await notes.delete(at: [0]) }
        try await expectUnblocked("verify") { _ = try await notes.verify() }
        try await expectUnblocked("repair") { _ = try await notes.repair() }
        try await expectUnblocked("resolveConflict") {
            try await notes.resolveConflict(keeping: .index)
        }
        try await expectUnblocked("checkpoint") { try await notes.checkpoint() }
        try await expectUnblocked("close") { try await notes.close() }
    }

    @Test func callsForContainersBlockNoExecutor() async throws {
        let boxes: Directory<Box> = try opened("boxes")
        let others = try Directory<Box>(
            at: sandbox.url("others"), index: "boxes.json", on: process)
        try await boxes.append(Box(id: 1, folderName: "One"))
        let notes = try await expectUnblocked("child") { try await boxes.child(.notes, of: 1) }
        try await notes.append(.eggs)
        let again: Directory<Box> = try opened("boxes")
        let folder = try await again.folder(of: 1)
        #expect(folder.lastPathComponent == "One")
        try await expectUnblocked("transfer") { try await boxes.transfer([1], to: others) }
        #expect(try sandbox.text("others/One/notes.json").contains("Eggs"))
    }

    @Test func positionsToDeleteAreLookedUpAfterTheLoad() async throws {
        try await opened("notes").append(contentsOf: [Note.eggs, .milk, .salt])
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json", on: ProcessFileSystem(LocalFileSystem()))
        try await notes.delete(at: [0, 2])
        #expect(Array(notes.items) == [.milk])
    }

    @Test func callsForAssetsBlockNoExecutor() async throws {
        let photos: Directory<Photo> = try opened("photos")
        let stage = try await expectUnblocked("makeStage") { try await photos.makeStage() }
        _ = Result { try stage.write(Data([1]), name: "one.jpg") }
        let photo = try #require(try await photos.insert(stage).first)
        let url = try await expectUnblocked("url") { try await photos.url(of: photo.id) }
        #expect(url.lastPathComponent == photo.fileName)
        let data = try await expectUnblocked("data") { try await photos.data(of: photo.id) }
        #expect(data == Data([1]))
        let first = try await expectUnblocked("readFirst") { try await photos.readFirst() }
        #expect(first == data)
        await expectError(.itemNotFound) { try await photos.data(of: UUID()) }
    }

    @Test func asyncRepairAdoptsOrphansAsTheOtherOneDoes() async throws {
        let photos: Directory<Photo> = try opened("photos")
        try await photos.load()
        try sandbox.write("a", to: "photos/a.jpg")
        _ = try await expectUnblocked("repair") { try await photos.repair() }
        #expect(photos.items.map(\.name) == ["a.jpg"])
        try sandbox.write("b", to: "inner/pieces/b.jpg")
        let pieces = try sandbox.pieces("inner")
        try await pieces.repair { orphan in Piece(id: 1, fileName: orphan.fileName) }
        #expect(pieces.items.map(\.fileName) == ["b.jpg"])
    }
}

/// The public methods of `Directory` and `Stage` as the source code declares them.
struct AsyncTwinTests {
    @Test func everyCallThatWaitsForTheDiskHasAnAsyncTwin() throws {
        let (waiting, async) = try signatures()
        #expect(waiting.count > 30)
        #expect(waiting.subtracting(async).isEmpty)
    }

    /// The names and parameters of the methods that throw: without and with `async`.
    private func signatures() throws -> (waiting: Set<String>, async: Set<String>) {
        var found: (waiting: Set<String>, async: Set<String>) = ([], [])
        for text in try sources() {
            for declaration in text.components(separatedBy: "public func ").dropFirst() {
                let head = declaration.prefix { $0 != "{" }.split(whereSeparator: \.isWhitespace)
                    .joined(separator: " ")
                guard let match = head.firstMatch(of: /(.*\)) (async throws|throws)/) else {
                    continue
                }
                let signature = String(match.1)
                    .replacing("@escaping ", with: "").replacing("@Sendable ", with: "")
                    .replacing(" & Sendable", with: "").replacing(": Sendable>", with: ">")
                    .replacing("( ", with: "(").replacing(" )", with: ")")
                if match.2 == "async throws" { found.async.insert(signature) }
                if match.2 == "throws" { found.waiting.insert(signature) }
            }
        }
        return found
    }

    /// The texts of the files with extensions of `Directory` and `Stage`.
    private func sources() throws -> [String] {
        let sources = Fixtures.repository.appending(path: "Sources/Directory")
        return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { path in
                let name = (path as NSString).lastPathComponent
                return name.hasPrefix("Directory+") || name.hasPrefix("Stage")
            }
            .map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }
    }
}
