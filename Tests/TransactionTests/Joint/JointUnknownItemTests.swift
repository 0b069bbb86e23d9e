import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A newer version died in a write to several collections, and an older one, which cannot decode some of the
/// items, opens one of them first.
@Suite(.timeLimit(.minutes(30))) struct JointUnknownItemTests {
    @Test(arguments: Sweep.cases(JointScenario.some.filter(\.hasSeveralIndexes), sample: 1))
    func anOlderVersionEndsTheWriteByItsLines(_ write: JointScenario) throws {
        let (before, after) = try JointStore.states(of: write)
        var sweep = Sweep(for: write)
        let cases = JointKill.allCases.flatMap { kill in
            OlderVersion.First.allCases.map { (kill, $0) }
        }
        for (kill, first) in sweep.some(cases, 6) {
            let store = try JointStore()
            let newer = try store.boxes(on: kill.process)
            try newer.load()
            #expect(throws: (any Error).self) { try write.run(newer) }
            try store.sandbox.buryOwners()
            try OlderVersion(sandbox: store.sandbox).open(first)
            let comment: Comment = "\(write), killed \(kill), \(first) first"
            let expected = kill == .undecided ? before : after
            #expect(try store.contents() == expected, comment)
            try store.expectClean(comment)
        }
    }
}

/// A version of the app that can decode only boxes and notes with even ids, and photographs called “other”.
struct OlderVersion {
    /// What it opens first, and changes if it can.
    enum First: CaseIterable { case boxes, notes, photos, parts }

    let sandbox: Sandbox

    /// Opens all collections of one kind that are there.
    func open(_ first: First) throws {
        let folders = ["One", "Two", "Other", "Nine"].filter(sandbox.exists)
        switch first {
        case .boxes: try change("boxes", in: "", OldBox(id: 100, folderName: "Old"))
        case .notes:
            for folder in folders {
                try change("notes", in: folder, OldNote(id: 100, title: "Old"))
            }
        case .photos:
            for folder in folders { try change("photos", in: folder, nil as OldPhoto?) }
        case .parts:
            for folder in folders {
                try change("parts", in: folder, OldBox(id: 100, folderName: "Old"))
            }
        }
    }

    /// Locks the collection, and changes it and back if there is an item to do that with.
    private func change<Item: Codable & Identifiable & Sendable>(
        _ name: String, in folder: String, _ item: Item?
    ) throws where Item.ID: Sendable {
        // A crash can leave a folder without an item.
        guard sandbox.exists("\(folder)/\(name).json") else { return }
        let items = try Directory<Item>(at: sandbox.url(folder), index: "\(name).json")
        do {
            try items.write { _ in }
            if let item {
                try items.write { try $0.append(item) }
                try items.write { try $0.remove(id: item.id) }
            }
            try items.close()
        } catch let error as DirectoryError where error.code == .undecodable {
            // It can decode none of them.
        }
    }
}

/// What only a newer version can decode.
private struct IsNewer: Error {}

private struct OldBox: Container {
    var id: Int
    var folderName: String
}

extension OldBox {
    init(from decoder: any Decoder) throws {
        let box = try Box(from: decoder)
        guard box.id.isMultiple(of: 2) else { throw IsNewer() }
        (id, folderName) = (box.id, box.folderName)
    }
}

private struct OldNote: Codable, Identifiable {
    var id: Int
    var title: String
}

extension OldNote {
    init(from decoder: any Decoder) throws {
        let note = try Note(from: decoder)
        guard note.id.isMultiple(of: 2) else { throw IsNewer() }
        (id, title) = (note.id, note.title)
    }
}

private struct OldPhoto: Asset {
    var id: UUID
    var fileName: String
}

extension OldPhoto {
    init(from decoder: any Decoder) throws {
        let photo = try Photo(from: decoder)
        guard photo.name == "other" else { throw IsNewer() }
        (id, fileName) = (photo.id, photo.fileName)
    }
}
