import Directory
import Foundation
import TestSupport
import Testing

@Suite struct OptionsTests {
    let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open(_ options: DirectoryOptions) throws -> Directory<Note> {
        let folder = temporary.url.appending(path: "notes", directoryHint: .isDirectory)
        return try Directory(at: folder, index: "notes.json", options: options)
    }

    private func permissions(_ path: String) throws -> Int? {
        let url = temporary.url.appending(path: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return attributes[.posixPermissions] as? Int
    }

    @Test func newFilesAreForTheirOwnerAlone() throws {
        try open(.init()).append(.eggs)
        #expect(try permissions("notes") == 0o700)
        #expect(try permissions("notes/notes.json") == 0o600)
        #expect(try permissions("notes/.notes.lock") == 0o600)
    }

    @Test func newFilesHaveThePermissionsOfTheOptions() throws {
        try open(.init(filePermissions: 0o664, folderPermissions: 0o775)).append(.eggs)
        #expect(try permissions("notes") == 0o775)
        #expect(try permissions("notes/notes.json") == 0o664)
    }

    @Test func anIndexKeepsItsPermissions() throws {
        let notes = try open(.init())
        try notes.append(.eggs)
        let path = temporary.url.appending(path: "notes/notes.json").path
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try notes.append(.milk)
        #expect(try permissions("notes/notes.json") == 0o640)
    }

    @Test func foldersAreBackedUpUnlessToldOtherwise() throws {
        let tag = temporary.url.appending(path: "notes/CACHEDIR.TAG")
        try open(.init()).append(.eggs)
        #expect(!FileManager.default.fileExists(atPath: tag.path))
    }

    #if !canImport(Darwin)
        @Test func anExcludedFolderIsTagged() throws {
            try open(.init(isExcludedFromBackup: true)).append(.eggs)
            let tag = try String(
                contentsOf: temporary.url.appending(path: "notes/CACHEDIR.TAG"), encoding: .utf8)
            #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55"))
        }
    #endif

    @Test func relaxedChangesAreWhole() throws {
        try open(.init(durability: .relaxed)).append(contentsOf: [.eggs, .milk])
        let text = try String(
            contentsOf: temporary.url.appending(path: "notes/notes.json"), encoding: .utf8)
        #expect(text.hasSuffix("}\n]\n"))
    }
}
