import DirectoryTestSupport
import Directory
import Foundation
import Synchronization
import StoreModel
import TestSupport
import Testing

/// Defects that the seed library had, one test for each.
struct SeedDefectTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes() throws -> Directory<Note> {
        try Directory(parent: sandbox.url, fileName: "notes.json")
    }

    private func projects() throws -> Directory<Project> {
        try Directory(parent: sandbox.url, fileName: "projects.json")
    }

    /// A new project and its photographs.
    private func photos() throws -> (Project, Directory<Photo>) {
        let projects = try projects()
        let project = Project(title: "Apollo")
        try projects.append(project)
        return (project, try projects.child(.photos, of: project.id))
    }

    @Test func readingCreatesNothing() throws {
        let album = Album(name: "Apollo", parent: sandbox.url("Albums"))
        let photos = try album.directory(.photos)
        try photos.load()
        _ = (album.folder, photos.items, photos.count, photos.url)
        #expect(try photos.readFirst() == nil)
        let projects = try Directory<Project>(
            parent: sandbox.url("Projects"), fileName: "projects.json")
        projects.fetch(.sync) { Issue.record($0) }
        #expect(projects.phase == .loaded)
        #expect(try sandbox.paths() == [])
    }

    @Test func previewTouchesNoDisk() throws {
        let projects = try Directory<Project>(
            parent: sandbox.url("Projects"), fileName: "projects.json", isPreview: true)
        let project = Project(title: "Apollo")
        try projects.append(project)
        try projects.child(.photos, of: project.id).insert(Data([1]))
        try projects.delete(item: project)
        #expect(try sandbox.paths() == [])
    }

    @Test func takenIDIsAnError() throws {
        let notes = try notes()
        try notes.append(.eggs)
        expectError(.duplicateID) { try notes.append(Note(id: 1, title: "Ham")) }
        expectError(.duplicateID) { try notes.insert(Note(id: 1, title: "Ham")) }
        #expect(Array(notes.fetchedItems) == [.eggs])
    }

    @Test func deletingOnePhotoKeepsTheOthers() throws {
        let (project, photos) = try photos()
        let inserted = try photos.insert([Data([1]), Data([2]), Data([3])])
        try photos.delete(item: inserted[1])
        try photos.delete(at: [0])
        #expect(photos.items.map(\.id) == [inserted[2].id])
        #expect(try photos.data(of: inserted[2].id) == Data([3]))
        let folder = "\(project.folderName)/photos"
        #expect(try Set(sandbox.tree(folder).keys) == [inserted[2].fileName])
    }

    @Test func deletingAnItemRemovesItsFolderAndNoOther() throws {
        let projects = try projects()
        let (apollo, gemini) = (Project(title: "Apollo"), Project(title: "Gemini"))
        try projects.append(contentsOf: [apollo, gemini])
        try projects.child(.photos, of: gemini.id).insert(Data([1]))
        try projects.delete(at: [0])
        try projects.checkpoint()
        #expect(try !sandbox.paths().contains("Project_Apollo"))
        #expect(try projects.child(.photos, of: gemini.id).readFirst() == Data([1]))
    }

    @Test func deletingByPositionLoadsFirst() throws {
        try notes().append(contentsOf: [.eggs, .milk])
        let notes = try notes()
        try notes.delete(at: [0])
        #expect(try sandbox.notesOnDisk() == [.milk])
        expectError(.indexOutOfRange) { try notes.delete(at: [1]) }
    }

    @Test func appendWithoutAFetchKeepsTheOtherItems() throws {
        try notes().append(contentsOf: [.eggs, .milk])
        try notes().append(.salt)
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func unreadableIndexIsNeverOverwritten() throws {
        for text in ["[{\"id\":1,\"tit", "{}", "[{\"name\":\"Eggs\"}]", "not JSON"] {
            try sandbox.write(text, to: "notes.json")
            let notes = try notes()
            let errors = Mutex<[any Error]>([])
            notes.fetch(.sync) { error in errors.withLock { $0.append(error) } }
            #expect(errors.withLock(\.count) == 1)
            #expect(throws: DirectoryError.self) { try notes.append(.salt) }
            #expect(throws: DirectoryError.self) { try notes.insert(.salt) }
            #expect(try sandbox.text("notes.json") == text)
        }
    }

    @Test func twoHandlesNeverOverwriteEachOther() throws {
        let first = try notes()
        let second = try notes()
        first.fetch(.sync)
        second.fetch(.sync)
        try first.append(.eggs)
        try second.append(.milk)
        try first.append(.salt)
        #expect(Array(second.items) == [.eggs, .milk, .salt])
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func twoHandlesOfTheSameAlbumShareTheirPhotos() throws {
        let albums = try Directory<Album>(parent: sandbox.url, fileName: "albums.json")
        let album = Album(name: "Apollo", parent: sandbox.url)
        try albums.append(album)
        let (first, second) = (try album.directory(.photos), try album.directory(.photos))
        try first.insert(Data([1]))
        try second.insert(Data([2]))
        #expect(first.count == 2)
        #expect(Array(first.items) == Array(second.items))
        #expect(try albums.child(.photos, of: album.id).count == 2)
    }

    @Test func openReaderKeepsTheOldIndex() throws {
        let notes = try notes()
        try notes.append(.eggs)
        let reader = try FileHandle(forReadingFrom: sandbox.url("notes.json"))
        let before = try sandbox.text("notes.json")
        try notes.append(.milk)
        let read = try reader.readToEnd().map { String(decoding: $0, as: UTF8.self) }
        #expect(read == before)
    }

    @Test func failedChangeIsNotInMemory() throws {
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json", options: .init(filePermissions: 0o644))
        try notes.append(.eggs)
        try sandbox.setMode(0o555, of: "")
        withoutPrivileges {
            expectError(.accessDenied) { try notes.append(.milk) }
            expectError(.accessDenied) { try notes.remove(id: 1) }
        }
        try sandbox.setMode(0o755, of: "")
        #expect(Array(notes.items) == [.eggs])
        #expect(try sandbox.notesOnDisk() == [.eggs])
    }
}
