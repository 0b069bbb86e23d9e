import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct LoadingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes(_ options: DirectoryOptions = .init()) throws -> Directory<Note> {
        try Directory(at: sandbox.url, index: "notes.json", options: options)
    }

    /// Expects that an index of `bytes` is an error for all calls, and is not changed.
    private func expectRefusal(
        of bytes: some Sequence<UInt8>, _ code: DirectoryError.Code = .damagedIndex,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try sandbox.write(Data(bytes), to: "notes.json")
        let notes = try notes()
        let error = expectError(code, sourceLocation: sourceLocation) { try notes.load() }
        #expect(notes.phase == error.map { .failed($0) }, sourceLocation: sourceLocation)
        expectError(code, sourceLocation: sourceLocation) { try notes.append(.salt) }
        expectError(code, sourceLocation: sourceLocation) { try notes.write { _ in } }
        #expect(notes.isEmpty, sourceLocation: sourceLocation)
        #expect(try sandbox.bytes("notes.json") == Data(bytes), sourceLocation: sourceLocation)
    }

    @Test func missingIndexIsAnEmptyCollectionAndIsNotMade() throws {
        let notes = try notes()
        #expect(notes.phase == .idle)
        try notes.load()
        #expect(notes.isEmpty)
        #expect(notes.phase == .loaded)
        #expect(try sandbox.paths() == [])
    }

    @Test func emptyIndexAloneIsAnEmptyCollection() throws {
        try sandbox.write("", to: "notes.json")
        let notes = try notes()
        try notes.load()
        #expect(notes.isEmpty)
        try notes.append(.eggs)
        #expect(try sandbox.notesOnDisk() == [.eggs])
    }

    @Test func emptyIndexBesideAFolderOfAnItemIsDamaged() throws {
        try sandbox.write("", to: "projects.json")
        try sandbox.makeFolder("Project_Apollo")
        let projects = try Directory<Project>(at: sandbox.url, index: "projects.json")
        expectError(.damagedIndex) { try projects.load() }
        expectError(.damagedIndex) { try projects.append(Project(title: "Gemini")) }
        #expect(try sandbox.text("projects.json") == "")
        #expect(try sandbox.paths().contains("Project_Apollo"))
        #expect(try !sandbox.paths().contains("Project_Gemini"))
    }

    @Test(arguments: ["photos", "Photos"])
    func emptyIndexBesideAnAssetIsDamaged(_ folder: String) throws {
        try sandbox.write("", to: "photos.json")
        try sandbox.makeFolder(folder)
        try Directory<Photo>(at: sandbox.url, index: "photos.json").load()
        try sandbox.write("bytes", to: "\(folder)/1.jpg")
        let photos = try Directory<Photo>(at: sandbox.url, index: "photos.json")
        expectError(.damagedIndex) { try photos.load() }
        expectError(.damagedIndex) { try photos.insert(Data([1])) }
        #expect(try sandbox.text("photos.json") == "")
        #expect(try sandbox.text("\(folder)/1.jpg") == "bytes")
    }

    @Test func truncatedIndexIsRefused() throws {
        try notes().append(contentsOf: [.eggs, Note(id: 2, title: "a\"\u{1F95B}\\é")])
        let whole = Array(try sandbox.bytes("notes.json"))
        for length in 1..<(whole.count - 1) {
            try expectRefusal(of: whole.prefix(length))
        }
        try sandbox.write(Data(whole.dropLast()), to: "notes.json")
        #expect(try sandbox.notesOnDisk().count == 2)
    }

    @Test(arguments: ["{}", "5", "\"[]\"", "null", "true", "\n", "{\"id\":1,\"title\":\"Eggs\"}"])
    func indexThatIsNotAnArrayIsRefused(_ text: String) throws {
        try expectRefusal(of: text.utf8)
    }

    @Test(arguments: [
        "[] []", "[],", "[]x", "[]\0", "[{\"id\":1,\"title\":\"Eggs\"}]]", "[,]", "[{},]",
        "[{\"id\":1,\"title\":\"Eg\u{1}gs\"}]", "[{\"id\":1,\"title\":\"Eg\ngs\"}]",
        "[{\"id\":1 \"title\":\"Eggs\"}]", "[{id:1,\"title\":\"Eggs\"}]", "[{'id':1}]",
        "[{\"id\":01,\"title\":\"Eggs\"}]", "// notes\n[]", "[\u{A0}]", "[\"\\x\"]", "[NaN]",
    ])
    func indexThatIsNotJSONIsRefused(_ text: String) throws {
        try expectRefusal(of: text.utf8)
    }

    @Test func otherEncodingsAreRefused() throws {
        let text = "[{\"id\":1,\"title\":\"Äpfel\"}]"
        for encoding: String.Encoding in [.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
            try expectRefusal(of: try #require(text.data(using: encoding)))
        }
        try expectRefusal(of: try #require(text.data(using: .isoLatin1)))
        try expectRefusal(of: [UInt8]("[\"".utf8) + [0xED, 0xA0, 0x80] + "\"]".utf8)
    }

    @Test func byteOrderMarkOfUTF8IsAccepted() throws {
        try sandbox.write("\u{FEFF}[{\"id\":1,\"title\":\"Eggs\"}]", to: "notes.json")
        let notes = try notes()
        try notes.append(.milk)
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk])
    }

    @Test func deepNestingIsRefused() throws {
        for depth in [600, 200_000] {
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            try expectRefusal(of: "[{\"id\":1,\"title\":\"Eggs\",\"x\":\(deep)}]".utf8)
        }
    }

    @Test(arguments: ["[1,2]", "[null]", "[\"a\"]", "[{}]", "[{\"id\":\"1\",\"title\":\"Eggs\"}]"])
    func indexOfAnotherTypeIsRefused(_ text: String) throws {
        try expectRefusal(of: text.utf8, .undecodable)
    }

    @Test func errorNamesTheFileTheLineAndTheRemedy() throws {
        try sandbox.write("[\n{\"id\":1,\"title\":\"Eggs\"},\n{\"id\":2,}\n]\n", to: "notes.json")
        let error = expectError(.damagedIndex) { try notes().load() }
        #expect(error?.url.lastPathComponent == "notes.json")
        #expect(error?.message.contains("line 3") == true)
        #expect(error?.message.contains("left as it is") == true)
    }

    @Test func repairedIndexLoadsAgain() throws {
        let notes = try notes()
        try notes.append(.eggs)
        try sandbox.write("[{\"id\":1,", to: "notes.json")
        expectError(.damagedIndex) { try notes.load() }
        expectError(.damagedIndex) { try notes.append(.milk) }
        #expect(Array(notes.items) == [.eggs])
        try sandbox.write("[{\"id\":3,\"title\":\"Salt\"}]", to: "notes.json")
        try notes.append(.milk)
        #expect(Array(notes.items) == [.salt, .milk])
        #expect(notes.phase == .loaded)
    }
}
