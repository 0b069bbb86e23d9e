import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// Options of a second value on an index that is open.
struct SharedOptionsTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func open(_ options: DirectoryOptions) throws -> Directory<Note> {
        try Directory(at: sandbox.url("notes"), index: "notes.json", options: options)
    }

    private static func encoder(_ formatting: JSONEncoder.OutputFormatting = []) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = formatting
        return encoder
    }

    private static func decoder(_ strategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys)
        -> JSONDecoder
    {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = strategy
        return decoder
    }

    @Test func otherOptionsOfAnOpenIndexAreAnError() throws {
        let first = DirectoryOptions(encoder: Self.encoder(), decoder: Self.decoder())
        let others: [(inout DirectoryOptions) -> Void] = [
            { $0.encoder = nil },
            { $0.encoder = Self.encoder(.sortedKeys) },
            { $0.decoder = nil },
            { $0.decoder = Self.decoder(.convertFromSnakeCase) },
            { $0.damagedItems = .refuse },
            { $0.filePermissions = 0o644 },
            { $0.folderPermissions = 0o755 },
            { $0.isExcludedFromBackup = true },
            { $0.lockTimeout = .seconds(1) },
            { $0.undoLimit = 1 },
        ]
        for makeFolder in [false, true] {
            if makeFolder { try sandbox.makeFolder("notes") }
            let notes = try open(first)
            for change in others {
                var options = first
                change(&options)
                let error = expectError(.optionsDiffer) { try open(options) }
                #expect(error?.url.lastPathComponent == "notes.json")
            }
            #expect(try open(first).isEmpty)
            #expect(notes.isEmpty)
        }
        // Nobody has the index open any more.
        try open(.init(filePermissions: 0o644)).append(.eggs)
        #expect(sandbox.mode("notes/notes.json") == 0o644)
    }

    @Test func equalCodersAndAnotherDurabilityAreAccepted() throws {
        let notes = try open(.init(encoder: Self.encoder(), decoder: Self.decoder()))
        let relaxed = try open(
            .init(durability: .relaxed, encoder: Self.encoder(), decoder: Self.decoder()))
        try relaxed.append(.eggs)
        #expect(Array(notes.items) == [.eggs])
    }

    @Test func childOfAnExcludedContainerSharesWithThePlacedOne() throws {
        let options = DirectoryOptions(filePermissions: 0o644, isExcludedFromBackup: true)
        let albums = try Directory<Album>(at: sandbox.url, index: "albums.json", options: options)
        let album = Album(name: "One", parent: sandbox.url)
        try albums.append(album)
        let child = try albums.child(.notes, of: album.id)
        try album.directory(.notes, options: options).append(.eggs)
        expectError(.optionsDiffer) { try album.directory(.notes, options: .init()) }
        #expect(try Array(album.directory(.notes).items) == [.eggs])
        #expect(Array(child.items) == [.eggs])
    }

    @Test func folderOfAnItemIsFoundWithoutALoadBefore() throws {
        let boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        let others = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        #expect(try others.folder(of: 1).path == sandbox.url("One").path)
        expectError(.itemNotFound) { try others.folder(of: 2) }
    }
}
