import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Repairs of decided writes that cannot be ended, because one of the collections is away.
struct JointRepairTests {
    /// The contents of all files after `repair`, while the collection `name` in the folder at `path` was away.
    private func repaired(
        _ write: JointScenario, without name: String, at path: String,
        repair: (JointStore) throws -> Void
    ) throws -> Set<Data> {
        let store = try JointStore()
        let killed = try store.boxes(on: JointKill.decided.process)
        #expect(throws: (any Error).self) { try write.run(killed) }
        try store.sandbox.buryOwners()
        try store.sandbox.withoutCollection(name, at: path) {
            try repair(store)
            return path
        }
        let boxes = try store.boxes()
        try boxes.write { _ in }
        for box in boxes.items {
            let photos = try boxes.child(.photos, of: box.id)
            try photos.repair()
            try photos.checkpoint()
        }
        try boxes.checkpoint()
        return try store.sandbox.contents()
    }

    @Test func filesThatTheWriteImportedAreKept() throws {
        let contents = try repaired(.importsBesideRemoval, without: "boxes", at: "") { store in
            let photos = try store.sandbox.photos("One")
            expectError(.unfinishedChange) { try photos.write { _ in } }
            try photos.repair()
            try photos.write { _ in }
        }
        #expect(contents.contains(Data("photo 1".utf8)))
        for text in ["new", "other"] { #expect(contents.contains(Data(text.utf8)), "\(text)") }
    }

    @Test func theFolderOfANewContainerIsKept() throws {
        let contents = try repaired(.newContainer, without: "notes", at: "One/") { store in
            let boxes = try store.boxes()
            expectError(.unfinishedChange) { try boxes.write { _ in } }
            try boxes.repair()
            try boxes.write { _ in }
        }
        for text in ["new", "other"] { #expect(contents.contains(Data(text.utf8)), "\(text)") }
    }

    /// They may be the only ones: the home cannot be asked.
    @Test func linesThatTheWriteBroughtAreSetAside() throws {
        _ = try repaired(.childrenOfTwo, without: "notes", at: "One/") { store in
            let notes = try Directory<Note>(at: store.sandbox.url("Two"), index: "notes.json")
            expectError(.unfinishedChange) { try notes.append(Note(40)) }
            #expect(try notes.repair().map(\.finding.kind) == [.leftoverTransaction])
            try notes.append(Note(40))
            let kept = try store.sandbox.tree("Two/notes.recovered")
            let texts = try kept.keys.map { try store.sandbox.text("Two/notes.recovered/\($0)") }
            #expect(texts.contains { $0.contains("Salt") })
        }
    }
}

extension Sandbox {
    /// Moves the files of a collection away, whose paths contain `place`, and back into the folder that `body` returns.
    func withoutCollection(_ name: String, at place: String, _ body: () throws -> String) throws {
        let files = ["\(name).json", ".\(name).journal", ".\(name).lock"]
        let found = try paths().filter { path in
            files.contains {
                path == "\(place)\($0)" || place.hasPrefix("/") && path.hasSuffix("\(place)\($0)")
            }
        }
        #expect(found.count == 3)
        try makeFolder(".away")
        for path in found { try move(path, to: ".away/\(path.split(separator: "/").last ?? "")") }
        let folder = try body()
        for file in files {
            try? remove("\(folder)\(file)")
            try move(".away/\(file)", to: "\(folder)\(file)")
        }
        try remove(".away")
    }
}
