import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Data protection of files, and what a locked device refuses.
struct DataProtectionTests {
    private let sandbox: Sandbox
    private let process = ProcessFileSystem(LocalFileSystem())

    init() throws { sandbox = try Sandbox() }

    private func open<Item>(
        _ type: Item.Type, _ index: String, in folder: String = "store",
        as protection: DirectoryOptions.DataProtection? = .complete
    ) throws -> Directory<Item> {
        var options = DirectoryOptions(dataProtection: protection)
        options.journalThreshold = 0
        return try Directory(
            at: sandbox.url(folder), index: index, options: options, on: process)
    }

    /// The paths that the process has made, in its log after one of these words.
    private func made(_ words: String...) -> Set<String> {
        Set(
            process.log.compactMap { line in
                words.first { line.hasPrefix("\($0) ") }.map {
                    String(line.dropFirst($0.count + 1))
                }
            })
    }

    /// Expects that everything that was made has the class `complete`, and returns the names.
    @discardableResult
    private func expectProtected(sourceLocation: SourceLocation = #_sourceLocation) -> Set<String> {
        let (made, protections) = (made("make", "create"), process.protections)
        for path in made {
            #expect(protections[path] == .complete, "\(path)", sourceLocation: sourceLocation)
        }
        return Set(made.map { URL(filePath: $0).lastPathComponent })
    }

    @Test func everyFileAndFolderThatIsMadeIsProtected() throws {
        let boxes = try open(Box.self, "boxes.json")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.append(Box(id: 2, folderName: "Two"))
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.update(id: 2) { $0.folderName = "Deux" }
        try boxes.remove(id: 2)
        try boxes.checkpoint()
        let names = expectProtected()
        #expect(
            names.isSuperset(of: ["store", "One", ".boxes.lock", ".staging", "intent"]))
        #expect(names.contains { $0.hasPrefix(".boxes.") && $0.hasSuffix(".tmp") })
    }

    @Test func everyFileThatIsImportedIsProtected() throws {
        let photos = try open(Photo.self, "photos.json")
        let stage = try photos.makeStage()
        try stage.write(Data("written".utf8))
        try stage.copy(sandbox.write("copied", to: "in/a.jpg"))
        let source = try sandbox.write("moved", to: "in/b.jpg")
        try stage.move(source)
        #expect(process.protections[source.path] == nil)
        try photos.insert(stage)
        #expect(!sandbox.exists("in/b.jpg"))
        #expect(expectProtected().isSuperset(of: ["1", "2", "3", "photos", "intent"]))
        // Nothing else gives a file another name here, which would not be seen.
        #expect(made("link").isEmpty)
    }

    @Test func everyFileThatIsSetAsideIsProtected() throws {
        try sandbox.write(
            "[\n{\"title\":\"No id\"},\n{\"id\":2,\"title\":\"Milk\"}\n]\n", to: "store/notes.json")
        try sandbox.write("orphan", to: "album/photos/a.jpg")
        _ = try open(Note.self, "notes.json").repair()
        _ = try open(Photo.self, "photos.json", in: "album").repair()
        let names = expectProtected()
        #expect(names.isSuperset(of: ["notes.recovered", "photos.recovered"]))
        #expect(names.contains { $0.hasPrefix("items-") })
    }

    @Test func whatATransferMovesInIsProtectedWithAllThatItContains() throws {
        let boxes = try open(Box.self, "boxes.json", as: nil)
        try boxes.append(Box(id: 1, folderName: "One"))
        try sandbox.write("photo", to: "store/One/photos/a.jpg")
        #expect(process.protections.isEmpty)
        let other = try open(Box.self, "boxes.json", in: "other")
        try boxes.transfer([1], to: other)
        for path in ["store/One", "store/One/photos", "store/One/photos/a.jpg"] {
            #expect(process.protections[sandbox.url(path).path] == .complete, "\(path)")
        }
    }

    @Test func withoutTheOptionNothingIsProtected() throws {
        let photos = try open(Photo.self, "photos.json", as: nil)
        try photos.insert(Data("bytes".utf8))
        #expect(process.protections.isEmpty)
    }

    @Test func optionsWithAnotherProtectionDiffer() throws {
        let notes = try open(Note.self, "notes.json")
        expectError(.optionsDiffer) { try open(Note.self, "notes.json", as: nil) }
        #expect(notes.isEmpty)
    }
}

extension DataProtectionTests {
    /// The notes of a process in which calls on files fail as on a locked device.
    private func lockedNotes(on disk: NotesDisk) throws -> Directory<Note> {
        let operations = ["open /store/", "create /store/", "read ", "write "]
        return try disk.notes(
            on: ProcessFileSystem(disk.disk) { _, call in
                operations.contains(where: call.hasPrefix) ? .fails(.notPermitted) : .works
            })
    }

    @Test func lockedDeviceIsAnErrorOfItsOwn() throws {
        let disk = try NotesDisk()
        try disk.notes(on: ProcessFileSystem(disk.disk)).append(.eggs)
        let before = try disk.bytes("notes.json")
        let notes = try lockedNotes(on: disk)
        LockedDevice.$protectsFiles.withValue(true) {
            expectError(.deviceLocked) { try notes.load() }
            #expect(notes.phase != .loaded)
            expectError(.deviceLocked) { try notes.append(.milk) }
            expectError(.deviceLocked) { try notes.remove(id: 1) }
        }
        #expect(try disk.bytes("notes.json") == before)
        #expect(try disk.read() == [.eggs])
    }

    @Test func lockedDeviceDoesNotHideAnAsset() throws {
        let photo = try Directory<Photo>(at: sandbox.url("store"), index: "photos.json")
            .insert(Data("bytes".utf8))
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasSuffix("/\(photo.fileName)") && call.hasPrefix("open")
                ? .fails(.notPermitted) : .works
        }
        let photos = try Directory<Photo>(
            at: sandbox.url("store"), index: "photos.json", on: process)
        LockedDevice.$protectsFiles.withValue(true) {
            expectError(.deviceLocked) { try photos.data(of: photo.id) }
        }
    }

    @Test func missingPermissionIsNotALockedDevice() throws {
        let disk = try NotesDisk()
        try disk.notes(on: ProcessFileSystem(disk.disk)).append(.eggs)
        let notes = try lockedNotes(on: disk)
        expectError(.accessDenied) { try notes.load() }
        let process = ProcessFileSystem(disk.disk) { _, call in
            call.hasPrefix("open /store/") ? .fails(.accessDenied) : .works
        }
        let others = try disk.notes(on: process)
        LockedDevice.$protectsFiles.withValue(true) {
            expectError(.accessDenied) { try others.load() }
        }
    }
}
