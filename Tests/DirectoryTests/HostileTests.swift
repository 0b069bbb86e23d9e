import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// A store that someone prepared to make the library leave it, beside what must not be touched.
struct HostileStore {
    let sandbox: Sandbox
    private let outside: [String: Sandbox.Entry]

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(#"[{"id":1,"title":"secret"}]"#, to: "outside/notes.json")
        try sandbox.write("[]", to: "outside/photos.json")
        try sandbox.write("secret", to: "outside/photos/secret.txt")
        try sandbox.write("secret", to: "outside/secret.txt")
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 2, folderName: "Good"))
        try boxes.child(.notes, of: 2).append(.eggs)
        outside = try sandbox.tree("outside")
    }

    /// Expects that nothing outside the store was changed or made.
    func expectNothingOutside(at location: SourceLocation = #_sourceLocation) throws {
        #expect(try sandbox.tree("outside") == outside, sourceLocation: location)
        let entries = try FileManager.default.contentsOfDirectory(atPath: sandbox.url.path)
        #expect(Set(entries).isSubset(of: ["store", "outside"]), sourceLocation: location)
    }

    /// The index of boxes, with the item 1 in a folder of this name.
    func writeIndex(_ folderName: String) throws {
        let items = [Box(id: 1, folderName: folderName), Box(id: 2, folderName: "Good")]
        try sandbox.write(JSONEncoder().encode(items), to: "store/boxes.json")
    }

    func writeIntent(_ json: String, checksum: UInt32? = nil) throws -> Remains {
        let remains = try Remains(of: "boxes.json", in: "store", sandbox)
        let checksum = String(checksum ?? CRC32.checksum(of: Array(json.utf8)), radix: 16)
        try sandbox.write("\(json)\n\(checksum)\n", to: "\(remains.staging)/intent")
        return remains
    }

    /// Does all that can be done with a box; whatever fails must fail with a clear error.
    func useEverything(
        in boxes: Directory<Box>, _ id: Int, at location: SourceLocation = #_sourceLocation
    ) {
        let uses: [() throws -> Void] = [
            { try boxes.load() },
            { _ = try boxes.folder(of: id) },
            { try boxes.child(.notes, of: id).append(.salt) },
            { try boxes.child(.photos, of: id).insert(Data([1])) },
            { try boxes.child(.boxes, of: id).append(Box(id: 1, folderName: "inner")) },
            { _ = try boxes.verify() },
            { try boxes.update(id: id) { $0.folderName = "Renamed" } },
            { try boxes.transfer([id], to: sandbox.boxes("store/other")) },
            { try boxes.remove(id: id) },
            { try boxes.repair() },
            { try boxes.checkpoint() },
        ]
        for use in uses {
            do {
                try use()
            } catch let error as DirectoryError {
                #expect(error.message.contains("cannot"), sourceLocation: location)
            } catch {
                Issue.record(error, "not a DirectoryError", sourceLocation: location)
            }
        }
    }
}

/// Names in indexes and intents that are no names.
@Suite(.timeLimit(.minutes(15))) struct HostileNameTests {
    let store: HostileStore
    var sandbox: Sandbox { store.sandbox }

    init() throws { store = try HostileStore() }

    static let names = [
        "", ".", "..", "/", "/etc", "../outside", "../outside/secret.txt", "a/b", "a\0b", "\0",
        ".staging", ".trash", ".boxes.lock", ".hidden", String(repeating: "x", count: 300),
    ]

    @Test(arguments: names) func folderNameOfAnItem(_ name: String) throws {
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

    @Test(arguments: ["..", "../outside", ".staging", "boxes.json", "Good", "GOOD", "other.json"])
    func anyUseOfAHostileFolderName(_ name: String) throws {
        try sandbox.write("[]", to: "store/other.json")
        try store.writeIndex(name)
        store.useEverything(in: try sandbox.boxes("store"), 1)
        try store.expectNothingOutside()
        #expect(try sandbox.text("store/other.json") == "[]")
        let others = try Directory<OtherBox>(at: sandbox.url("store"), index: "boxes.json")
        try others.load()
        #expect(others[id: 2] != nil)
    }

    @Test(arguments: names + ["../../outside/secret.txt", "../secret.txt"])
    func fileNameOfAnItem(_ name: String) throws {
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

    @Test(arguments: ["", ".", "..", "/etc", "../outside", "a/b", "a\\u0000b"])
    func namesInAnIntent(_ name: String) throws {
        let pair = #"{"staged":"\#(name)","asset":"x"}"#
        let intents = [
            #""arrivals":[\#(pair)],"renamedFolders":[],"removedFiles":[]"#,
            #""arrivals":[],"renamedFolders":[{"from":"Good","to":"\#(name)"}],"removedFiles":[]"#,
            #""arrivals":[],"renamedFolders":[],"removedFiles":["\#(name)"]"#,
        ]
        for intent in intents {
            let remains = try store.writeIntent("{\(intent)}")
            let boxes = try sandbox.boxes("store")
            try boxes.write { _ in }
            // An intent that is none says that nothing moved, and goes.
            #expect(!sandbox.exists(remains.staging))
            #expect(try boxes.notes(of: 2) == [.eggs])
            try store.expectNothingOutside()
        }
    }

    @Test(arguments: ["../outside", "../../../../../../../../etc", "/etc", "a\\u0000b", "."])
    func pathInATransferLeadsNowhereWithoutTheOtherHalf(_ path: String) throws {
        let remains = try Remains(of: "boxes.json", in: "store", sandbox)
        try remains.writeTransfer(to: path, index: "notes.json")
        let boxes = try sandbox.boxes("store")
        store.useEverything(in: boxes, 2)
        try store.expectNothingOutside()
    }

    @Test func indexInATransferThatIsNoName() throws {
        let remains = try Remains(of: "boxes.json", in: "store", sandbox)
        try remains.writeTransfer(to: "../outside", index: "../outside/notes.json")
        expectError(.invalidLocation) { try sandbox.boxes("store") }
        try store.expectNothingOutside()
    }

    @Test(arguments: [
        "9223372036854775807", "9223372036854775806", "-9223372036854775808", "-3",
        "99999999999999999999999", "\u{0}\u{FF}", "x", "", "\n\n",
    ])
    func countInTheLock(_ text: String) throws {
        try sandbox.write(text, to: "store/.boxes.lock")
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 3, folderName: "Three"))
        let other = try Directory<OtherBox>(at: sandbox.url("store"), index: "boxes.json")
        try other.append(OtherBox(id: 4, folderName: "Four"))
        try boxes.load()
        #expect(boxes.items.map(\.id) == [2, 3, 4])
    }
}
