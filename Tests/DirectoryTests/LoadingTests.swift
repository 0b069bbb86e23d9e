import Directory
import Foundation
import TestSupport
import Testing

@Suite struct LoadingTests {
    let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func notes(_ options: DirectoryOptions = .init()) throws -> Directory<Note> {
        try Directory(at: temporary.url, index: "notes.json", options: options)
    }

    /// Expects that `bytes` as the index are refused and stay as they are.
    private func expectRefusal(
        of bytes: some Sequence<UInt8>, _ code: DirectoryError.Code = .damagedIndex,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = temporary.file("notes.json")
        try Data(bytes).write(to: file)
        let notes = try notes()
        let error = expectError(code, sourceLocation: sourceLocation) { try notes.load() }
        #expect(notes.phase == error.map { .failed($0) }, sourceLocation: sourceLocation)
        expectError(code, sourceLocation: sourceLocation) { try notes.append(.salt) }
        expectError(code, sourceLocation: sourceLocation) { try notes.write { _ in } }
        #expect(notes.isEmpty, sourceLocation: sourceLocation)
        #expect(try Data(contentsOf: file) == Data(bytes), sourceLocation: sourceLocation)
    }

    @Test func missingIndexIsEmptyAndLoadingMakesNone() throws {
        let notes = try notes()
        #expect(notes.phase == .idle)
        try notes.load()
        #expect(notes.isEmpty)
        #expect(notes.phase == .loaded)
        #expect(try temporary.tree() == [])
    }

    @Test func emptyFileAloneIsAnEmptyCollection() throws {
        try temporary.write("", to: "notes.json")
        let notes = try notes()
        try notes.load()
        #expect(notes.isEmpty)
        try notes.append(.eggs)
        #expect(try temporary.notesOnDisk() == [.eggs])
    }

    @Test func emptyFileBesideAFolderOfAnItemIsDamage() throws {
        try temporary.write("", to: "projects.json")
        try FileManager.default.createDirectory(
            at: temporary.file("Project_Apollo"), withIntermediateDirectories: false)
        let projects = try Directory<Project>(at: temporary.url, index: "projects.json")
        expectError(.damagedIndex) { try projects.load() }
        expectError(.damagedIndex) { try projects.append(Project(title: "Gemini")) }
        #expect(try temporary.text("projects.json") == "")
        #expect(try temporary.tree().contains("Project_Apollo"))
        #expect(try !temporary.tree().contains("Project_Gemini"))
    }

    @Test(arguments: ["photos", "Photos"])
    func emptyFileBesideAnAssetIsDamage(_ folder: String) throws {
        try temporary.write("", to: "photos.json")
        try FileManager.default.createDirectory(
            at: temporary.file(folder), withIntermediateDirectories: false)
        try Directory<Photo>(at: temporary.url, index: "photos.json").load()
        try temporary.write("bytes", to: "\(folder)/1.jpg")
        let photos = try Directory<Photo>(at: temporary.url, index: "photos.json")
        expectError(.damagedIndex) { try photos.load() }
        expectError(.damagedIndex) { try photos.insert(Data([1])) }
        #expect(try temporary.text("photos.json") == "")
        #expect(try temporary.text("\(folder)/1.jpg") == "bytes")
    }

    @Test func indexCutOffAnywhereIsRefused() throws {
        try notes().append(contentsOf: [.eggs, Note(id: 2, title: "a\"\u{1F95B}\\é")])
        let whole = Array(try Data(contentsOf: temporary.file("notes.json")))
        for length in 1..<(whole.count - 1) {
            try expectRefusal(of: whole.prefix(length))
        }
        try Data(whole.dropLast()).write(to: temporary.file("notes.json"))
        #expect(try temporary.notesOnDisk().count == 2)
    }

    @Test(arguments: ["{}", "5", "\"[]\"", "null", "true", "\n", "{\"id\":1,\"title\":\"Eggs\"}"])
    func indexThatIsNoArrayIsRefused(_ text: String) throws {
        try expectRefusal(of: text.utf8)
    }

    @Test(arguments: [
        "[] []", "[],", "[]x", "[]\0", "[{\"id\":1,\"title\":\"Eggs\"}]]", "[,]", "[{},]",
        "[{\"id\":1,\"title\":\"Eg\u{1}gs\"}]", "[{\"id\":1,\"title\":\"Eg\ngs\"}]",
        "[{\"id\":1 \"title\":\"Eggs\"}]", "[{id:1,\"title\":\"Eggs\"}]", "[{'id':1}]",
        "[{\"id\":01,\"title\":\"Eggs\"}]", "// notes\n[]", "[\u{A0}]", "[\"\\x\"]", "[NaN]",
    ])
    func indexThatIsNoJSONIsRefused(_ text: String) throws {
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
        try temporary.write("\u{FEFF}[{\"id\":1,\"title\":\"Eggs\"}]", to: "notes.json")
        let notes = try notes()
        try notes.append(.milk)
        #expect(try temporary.notesOnDisk() == [.eggs, .milk])
    }

    @Test func nestingTooDeepForTheStackIsRefused() throws {
        for depth in [600, 200_000] {
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            try expectRefusal(of: "[{\"id\":1,\"title\":\"Eggs\",\"x\":\(deep)}]".utf8)
        }
    }

    @Test(arguments: ["[1,2]", "[null]", "[\"a\"]", "[{}]", "[{\"id\":\"1\",\"title\":\"Eggs\"}]"])
    func indexOfAnotherTypeIsRefused(_ text: String) throws {
        try expectRefusal(of: text.utf8, .undecodable)
    }

    @Test func errorTellsTheFileTheLineAndTheRemedy() throws {
        try temporary.write("[\n{\"id\":1,\"title\":\"Eggs\"},\n{\"id\":2,}\n]\n", to: "notes.json")
        let error = expectError(.damagedIndex) { try notes().load() }
        #expect(error?.url.lastPathComponent == "notes.json")
        #expect(error?.message.contains("line 3") == true)
        #expect(error?.message.contains("left as it is") == true)
    }

    @Test func mendedIndexLoadsAgain() throws {
        let notes = try notes()
        try notes.append(.eggs)
        try temporary.write("[{\"id\":1,", to: "notes.json")
        expectError(.damagedIndex) { try notes.load() }
        expectError(.damagedIndex) { try notes.append(.milk) }
        #expect(Array(notes.items) == [.eggs])
        try temporary.write("[{\"id\":3,\"title\":\"Salt\"}]", to: "notes.json")
        try notes.append(.milk)
        #expect(Array(notes.items) == [.salt, .milk])
        #expect(notes.phase == .loaded)
    }
}
