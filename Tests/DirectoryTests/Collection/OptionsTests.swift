import DirectoryTestSupport
import Directory
import StoreModel
import TestSupport
import Testing

struct OptionsTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func open(_ options: DirectoryOptions) throws -> Directory<Note> {
        try Directory(at: sandbox.url("notes"), index: "notes.json", options: options)
    }

    @Test func newFilesAreForTheirOwnerAlone() throws {
        try open(.init()).append(.eggs)
        #expect(sandbox.mode("notes") == 0o700)
        #expect(sandbox.mode("notes/notes.json") == 0o600)
        #expect(sandbox.mode("notes/.notes.lock") == 0o600)
    }

    @Test func newFilesHaveThePermissionsOfTheOptions() throws {
        try open(.init(filePermissions: 0o664, folderPermissions: 0o775)).append(.eggs)
        #expect(sandbox.mode("notes") == 0o775)
        #expect(sandbox.mode("notes/notes.json") == 0o664)
    }

    @Test func indexKeepsItsPermissions() throws {
        let notes = try open(.init())
        try notes.append(.eggs)
        try sandbox.setMode(0o640, of: "notes/notes.json")
        try notes.append(.milk)
        #expect(sandbox.mode("notes/notes.json") == 0o640)
    }

    @Test func folderIsBackedUpByDefault() throws {
        try open(.init()).append(.eggs)
        #expect(!sandbox.exists("notes/CACHEDIR.TAG"))
    }

    #if !canImport(Darwin)
        @Test func excludedFolderIsTagged() throws {
            try open(.init(isExcludedFromBackup: true)).append(.eggs)
            let tag = try sandbox.text("notes/CACHEDIR.TAG")
            #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55"))
        }
    #endif

    @Test func relaxedChangeWritesTheWholeIndex() throws {
        try open(.init(durability: .relaxed)).append(contentsOf: [.eggs, .milk])
        #expect(try sandbox.text("notes/notes.json").hasSuffix("}\n]\n"))
    }
}
