import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Invalid names and paths in indexes, intents and lock files.
@Suite(.timeLimit(.minutes(30))) struct HostileNameTests {
    let store: HostileStore
    var sandbox: Sandbox { store.sandbox }

    init() throws { store = try HostileStore() }

    static let names = [
        "", ".", "..", "/", "/etc", "../outside", "../outside/secret.txt", "a/b", "a\0b", "\0",
        ".staging", ".trash", ".boxes.lock", ".hidden", String(repeating: "x", count: 300),
    ]

    @Test(arguments: Sweep.cases(names, sample: 1)) func invalidFolderNameOfAnItemIsNotUsed(
        _ name: String
    ) throws {
        try store.writeIndex(name)
        let boxes = try sandbox.boxes("store")
        #expect(boxes.items.map(\.id) == [1, 2])
        let tree = try sandbox.tree()
        expectError(.invalidName) { try boxes.folder(of: 1) }
        expectError(.invalidName) { try boxes.child(.notes, of: 1) }
        #expect(try sandbox.tree() == tree)
        try boxes.update(id: 1) { $0.folderName = "Renamed" }
        #expect(try sandbox.tree("store/Renamed").isEmpty)
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        #expect(try boxes.verify().isEmpty)
        #expect(try boxes.notes(of: 2) == [.eggs])
        try store.expectNothingOutside()
    }

    @Test(
        arguments: Sweep.cases(
            ["..", "../outside", ".staging", "boxes.json", "Good", "GOOD", "other.json"], sample: 1)
    )
    func hostileFolderNameDoesNotLeadOutOfTheStore(_ name: String) throws {
        try sandbox.write("[]", to: "store/other.json")
        try store.writeIndex(name)
        store.useEverything(in: try sandbox.boxes("store"), 1)
        try store.expectNothingOutside()
        #expect(try sandbox.text("store/other.json") == "[]")
        let others = try Directory<OtherBox>(at: sandbox.url("store"), index: "boxes.json")
        try others.load()
        #expect(others[id: 2] != nil)
    }

    @Test(arguments: Sweep.cases(names + ["../../outside/secret.txt", "../secret.txt"], sample: 1))
    func invalidFileNameOfAnItemIsNotUsed(_ name: String) throws {
        let item = Piece(id: 1, fileName: name)
        try sandbox.write(JSONEncoder().encode([item]), to: "store/pieces.json")
        try sandbox.write("in the store", to: "store/secret.txt")
        try sandbox.makeFolder("store/pieces")
        let pieces = try sandbox.pieces("store")
        #expect(Array(pieces.items) == [item])
        expectError(.assetMissing) { try pieces.url(of: 1) }
        expectError(.assetMissing) { try pieces.data(of: 1) }
        #expect(try pieces.verify().map(\.kind) == [.missingAsset])
        expectError(.invalidName) { try pieces.transfer([1], to: sandbox.pieces("store/Good")) }
        try pieces.update(id: 1) { $0.title = "new" }
        try pieces.remove(id: 1)
        try pieces.checkpoint()
        #expect(try sandbox.text("store/secret.txt") == "in the store")
        try store.expectNothingOutside()
    }

    /// Only a later version can have written it.
    @Test(arguments: [
        #"{"from":{"participant":0,"staged":[]},"to":{"participant":0,"assets":"pieces"},"#
            + #""names":["1","2"],"newNames":["x"]}"#,
        #"{"from":{"participant":0},"to":{"participant":0,"assets":"pieces"},"names":["Good"]}"#,
        #"{"from":{"participant":0,"staged":[]},"to":{"participant":0},"names":["1"]}"#,
    ])
    func intentWithAnImportThatDoesNotFitMovesNothing(_ move: String) throws {
        let leftovers = try store.writeIntent(
            #"{"imports":[\#(move)],"removedFiles":[],"folders":[]}"#)
        let boxes = try sandbox.boxes("store")
        expectError(.unfinishedChange) { try boxes.write { _ in } }
        #expect(sandbox.exists("\(leftovers.staging)/intent"))
        #expect(try boxes.notes(of: 2) == [.eggs])
    }

    @Test(
        arguments: Sweep.cases(
            ["", ".", "..", "/etc", "../outside", "a/b", "a\\u0000b"], sample: 1))
    func intentWithAnInvalidNameStaysAndMovesNothing(_ name: String) throws {
        let places = #""from":{"participant":0,"staged":[]},"to":{"participant":0,"assets":"x"}"#
        let staged = #"{\#(places),"names":["\#(name)"],"newNames":["x"]}"#
        let asset = #"{\#(places),"names":["x"],"newNames":["\#(name)"]}"#
        let folder = #"{"item":"{}","from":"Good","to":"\#(name)","isParked":false}"#
        let intents = [
            #""imports":[\#(staged)],"removedFiles":[],"folders":[]"#,
            #""imports":[\#(asset)],"removedFiles":[],"folders":[]"#,
            #""imports":[],"removedFiles":[],"folders":[\#(folder)]"#,
            #""imports":[],"removedFiles":["\#(name)"],"folders":[]"#,
        ]
        for intent in intents {
            let leftovers = try store.writeIntent("{\(intent)}")
            try sandbox.write("precious", to: "\(leftovers.staging)/folder-1/file")
            let boxes = try sandbox.boxes("store")
            // It is complete, so another version may know what it says.
            expectError(.unfinishedChange) { try boxes.write { _ in } }
            #expect(try sandbox.text("\(leftovers.staging)/folder-1/file") == "precious")
            #expect(try boxes.verify().map(\.kind) == [.leftoverTransaction])
            #expect(try boxes.notes(of: 2) == [.eggs])
            try store.expectNothingOutside()
            try sandbox.remove(leftovers.staging)
            try boxes.write { _ in }
        }
    }

    @Test(
        arguments: Sweep.cases(
            ["../outside", "../../../../../../../../etc", "/etc", "a\\u0000b", "."], sample: 1))
    func homeWithoutItsOtherPartsDoesNotLeadOutOfTheStore(_ path: String) throws {
        let leftovers = try CrashLeftovers(of: "boxes.json", in: "store", sandbox)
        try leftovers.prepareHome(with: path, index: "notes.json", isCommitted: true)
        let boxes = try sandbox.boxes("store")
        // The first time ends with a repair, which sets the part aside.
        for _ in 0..<2 { store.useEverything(in: boxes, 2) }
        try store.expectNothingOutside()
    }

    @Test func homeWithAnInvalidIndexNameIsAnError() throws {
        let leftovers = try CrashLeftovers(of: "boxes.json", in: "store", sandbox)
        try leftovers.prepareHome(
            with: "../outside", index: "../outside/notes.json", isCommitted: true)
        expectError(.invalidLocation) { try sandbox.boxes("store") }
        try store.expectNothingOutside()
    }

    @Test(
        arguments: Sweep.cases(
            [
                "9223372036854775807", "9223372036854775806", "-9223372036854775808", "-3",
                "99999999999999999999999", "\u{0}\u{FF}", "x", "", "\n\n",
            ], sample: 1))
    func anyTextInTheLockFileIsAccepted(_ text: String) throws {
        try sandbox.write(text, to: "store/.boxes.lock")
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 3, folderName: "Three"))
        let other = try Directory<OtherBox>(at: sandbox.url("store"), index: "boxes.json")
        try other.append(OtherBox(id: 4, folderName: "Four"))
        try boxes.load()
        #expect(boxes.items.map(\.id) == [2, 3, 4])
    }
}
