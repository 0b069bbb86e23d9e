import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Somebody edits the index while folders are parked by a process that was killed.
struct ParkedFolderTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let boxes = try sandbox.twoBoxes()
        for id in 1...2 {
            try boxes.child(.photos, of: id).insert(Data("\(id)".utf8), name: "p.jpg")
        }
        try boxes.close()
    }

    /// Kills a swap of the two names before or after its commit; both folders are parked then.
    private func killSwap(beforeCommit: Bool) throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let isCommit = call.hasPrefix("create") && call.hasSuffix(".tmp")
            let isPlacing = call.hasPrefix("rename") && call.contains("/folder-1 to ")
            return beforeCommit ? isCommit ? .killed : .works : isPlacing ? .killed : .works
        }
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json", on: process)
        #expect(throws: Never.self) {
            do {
                try boxes.write { draft in
                    try draft.update(id: 1) { $0.folderName = "Two" }
                    try draft.update(id: 2) { $0.folderName = "One" }
                }
            } catch is ProcessFileSystem.Killed {}
        }
        #expect(process.isDead)
        #expect(!sandbox.exists("One") && !sandbox.exists("Two"))
    }

    private func contents(of folder: String) throws -> String? {
        guard sandbox.exists(folder) else { return nil }
        let photos = try sandbox.photos(folder)
        return try photos.items.first.map {
            String(decoding: try photos.data(of: $0.id), as: UTF8.self)
        }
    }

    @Test(arguments: [false, true]) func recoveryPutsEachFolderWhereItsItemIs(beforeCommit: Bool)
        throws
    {
        try killSwap(beforeCommit: beforeCommit)
        let boxes = try sandbox.boxes()
        #expect(boxes[id: 1]?.folderName == (beforeCommit ? "One" : "Two"))
        #expect(try contents(of: beforeCommit ? "One" : "Two") == "1")
        #expect(try contents(of: beforeCommit ? "Two" : "One") == "2")
        #expect(try boxes.verify() == [])
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func aFolderWaitsWhileItsItemHasNoNameOfItsOwn() throws {
        try killSwap(beforeCommit: true)
        let index = try sandbox.text("boxes.json")
        try sandbox.write(index.replacingOccurrences(of: "Two", with: "One"), to: "boxes.json")
        do {
            let boxes = try sandbox.boxes()
            #expect(try boxes.verify().contains { $0.kind == .leftoverTransaction })
            #expect(try contents(of: "One") == "1")
        }
        try sandbox.write(index, to: "boxes.json")
        let boxes = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        try boxes.load()
        #expect(try boxes.verify() == [])
        #expect(try contents(of: "Two") == "2")
    }

    @Test func foldersWithoutTheirItemsComeBackUnderFreeNames() throws {
        try killSwap(beforeCommit: true)
        try sandbox.write("[]", to: "boxes.json")
        let boxes = try sandbox.boxes()
        #expect(try Set([contents(of: "One"), contents(of: "Two")]) == ["1", "2"])
        #expect(try boxes.verify().map(\.kind) == [.unknownFolder, .unknownFolder])
    }

    /// On a volume that tells cases apart, it is another folder.
    @Test(.enabled(if: Self.tellsCasesApart)) func anUnknownFolderInOtherCaseKeepsItsName() throws {
        try sandbox.write("mine", to: "one/mine.txt")
        let boxes = try sandbox.boxes()
        let tree = try sandbox.tree()
        expectError(.nameTaken) {
            try boxes.write { draft in
                try draft.remove(id: 1)
                try draft.append(Box(id: 4, folderName: "one"))
            }
        }
        expectError(.nameTaken) {
            try boxes.write { draft in
                try draft.remove(id: 1)
                try draft.update(id: 2) { $0.folderName = "one" }
            }
        }
        #expect(try sandbox.tree() == tree)
    }

    private static let tellsCasesApart: Bool = {
        guard let sandbox = try? Sandbox(), (try? sandbox.write("", to: "a")) != nil else {
            return false
        }
        return !sandbox.exists("A")
    }()
}
