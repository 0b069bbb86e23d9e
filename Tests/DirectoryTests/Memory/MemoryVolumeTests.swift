import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct MemoryVolumeTests {
    let sandbox: Sandbox
    let volume: MemoryVolume

    init() throws {
        sandbox = try Sandbox()
        volume = MemoryVolume(at: sandbox.url)
    }

    private func projects(_ path: String = "Work") throws -> Directory<Project> {
        try Directory(at: sandbox.url(path), index: "projects.json")
    }

    @Test func storesOfAVolumeTouchNoDisk() throws {
        let (apollo, gemini) = (Project(title: "Apollo"), Project(title: "Gemini"))
        let projects = try projects()
        try projects.append(contentsOf: [apollo, gemini])
        let photos = try projects.child(.photos, of: apollo.id)
        let photo = try photos.insert(Data([1, 2]), name: "moon.jpg")
        try photos.transfer([photo.id], to: projects.child(.photos, of: gemini.id))
        try projects.update(id: gemini.id) { $0.title = "Vega" }
        let archive = try self.projects("Archive/Old")
        try projects.transfer([gemini.id], to: archive)
        #expect(
            try archive.child(.photos, of: gemini.id).data(of: photo.id) == Data([1, 2]))
        try projects.remove(id: apollo.id)
        for collection in [projects, archive] {
            try collection.checkpoint()
            #expect(try collection.verify() == [])
            #expect(try collection.repair().isEmpty)
        }
        #expect(try sandbox.paths() == [])
    }

    @Test func storeIsThereWhenItIsOpenedAgain() throws {
        let note = Note(id: 1, title: "Eggs")
        do {
            let projects = try projects()
            let apollo = Project(title: "Apollo")
            try projects.append(apollo)
            try projects.child(.notes, of: apollo.id).append(note)
        }
        let again = try projects()
        try again.load()
        let apollo = try #require(again.items.first)
        let notes = try again.child(.notes, of: apollo.id)
        try notes.load()
        #expect(Array(notes.items) == [note])
    }

    @Test func placedContainersAreInTheVolume() throws {
        let album = Album(name: "Moon", parent: sandbox.url("Albums"))
        let albums = try Directory<Album>(at: sandbox.url("Albums"), index: "albums.json")
        try albums.append(album)
        let photo = try album.directory(.photos).insert(Data([1]))
        #expect(try albums.child(.photos, of: album.id).data(of: photo.id) == Data([1]))
        #expect(try sandbox.paths() == [])
    }

    @Test func folderOfAPlacedContainerCanBeAVolume() throws {
        let album = Album(name: "Moon", parent: sandbox.url("Albums"))
        let disk = try Sandbox()
        let onDisk = Album(name: "Moon", parent: disk.url)
        let volume = MemoryVolume(at: onDisk.folder)
        for album in [album, onDisk] {
            try album.directory(.notes).append(.eggs)
            let again = try album.directory(.notes)
            try again.load()
            #expect(Array(again.items) == [.eggs])
        }
        #expect(try disk.paths() == [])
        withExtendedLifetime(volume) {}
    }

    @Test func storeTakesOptions() throws {
        let options = DirectoryOptions(durability: .relaxed, isExcludedFromBackup: true)
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", options: options)
        try notes.append(.eggs)
        expectError(.optionsDiffer) {
            try Directory<Note>(at: sandbox.url, index: "notes.json")
        }
        #expect(try sandbox.paths() == [])
    }

    @Test func everySpellingOfAPathLeadsToTheVolume() throws {
        try sandbox.makeFolder("real")
        let link = try sandbox.makeSymbolicLink("link", to: sandbox.url("real"))
        let volume = MemoryVolume(at: link.appending(path: "Store"))
        let spellings = [
            "link/Store", "real/Store", "real/../real/./Store", "link/Store/a/..", "link/Store/",
        ]
        for (number, spelling) in spellings.enumerated() {
            let notes = try Directory<Note>(at: sandbox.url(spelling), index: "notes.json")
            try notes.append(Note(id: number, title: spelling))
            #expect(notes.count == number + 1)
        }
        #expect(try sandbox.paths() == ["link", "real"])
        withExtendedLifetime(volume) {}
    }

    @Test func linksOnTheDiskBelowTheFolderAreNotFollowed() throws {
        try sandbox.makeFolder("other")
        try sandbox.makeSymbolicLink("link", to: sandbox.url("other"))
        let volume = MemoryVolume(at: sandbox.url)
        try Directory<Note>(at: sandbox.url("link"), index: "notes.json").append(.eggs)
        #expect(try sandbox.paths() == ["link", "other"])
        withExtendedLifetime(volume) {}
    }

    @Test func whatIsBesideTheFolderIsOnTheDisk() throws {
        let volume = MemoryVolume(at: sandbox.url("Store"))
        let beside = try Sandbox()
        try Directory<Note>(at: beside.url("Store 2"), index: "notes.json").append(.eggs)
        #expect(beside.exists("Store 2/notes.json"))
        withExtendedLifetime(volume) {}
    }

    @Test func innermostAndThenNewestVolumeCounts() throws {
        let open = { try Directory<Note>(at: sandbox.url("a/b"), index: "notes.json") }
        let first = try open()
        try first.append(.eggs)
        let inner = MemoryVolume(at: sandbox.url("a/b"))
        let second = try open()
        try second.append(.milk)
        let outer = MemoryVolume(at: sandbox.url("a"))
        #expect(Array(try loaded(open()).items) == [.milk])
        let newest = MemoryVolume(at: sandbox.url("a/b"))
        #expect(try loaded(open()).isEmpty)
        #expect(Array(first.items) == [.eggs])
        withExtendedLifetime((inner, outer, newest)) {}
    }

    private func loaded(_ notes: Directory<Note>) throws -> Directory<Note> {
        try notes.load()
        return notes
    }

    @Test func openCollectionKeepsTheVolumeAlive() throws {
        let folder = try Sandbox()
        var volume: MemoryVolume? = MemoryVolume(at: folder.url)
        var notes: Directory<Note>? = try Directory(at: folder.url, index: "notes.json")
        try notes?.append(.eggs)
        #expect(volume != nil)
        volume = nil
        #expect(try Array(loaded(Directory(at: folder.url, index: "notes.json")).items) == [.eggs])
        try notes?.append(.milk)
        notes = nil
        #expect(try folder.paths() == [])
        let onDisk = try Directory<Note>(at: folder.url, index: "notes.json")
        try onDisk.append(.salt)
        #expect(Array(onDisk.items) == [.salt])
        #expect(folder.exists("notes.json"))
    }

    @Test func volumesWithoutAFolderAreApart() throws {
        let volumes = [MemoryVolume(), MemoryVolume()]
        for volume in volumes {
            let notes = try Directory<Note>(at: volume.url, index: "notes.json")
            try notes.append(.eggs)
            #expect(notes.count == 1)
            let path = volume.url.path(percentEncoded: false)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func transferToTheDiskIsRefused() throws {
        let disk = try Sandbox()
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json")
        try boxes.append(Box(id: 1, folderName: "One"))
        let other = try Directory<Box>(at: disk.url, index: "boxes.json")
        expectError(.crossVolume) { try boxes.transfer([1], to: other) }
        #expect(boxes.count == 1)
    }

    @Test func volumesCanBeMadeAndUsedAtTheSameTime() async throws {
        let sandbox = try Sandbox()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<32 {
                group.addTask {
                    let folder = sandbox.url("\(number)")
                    let volume = MemoryVolume(at: folder)
                    let notes = try Directory<Note>(at: folder, index: "notes.json")
                    for id in 0..<10 { try await notes.append(Note(id: id, title: "")) }
                    let again = try Directory<Note>(at: folder, index: "notes.json")
                    #expect(again.count == 10)
                    withExtendedLifetime(volume) {}
                }
            }
            try await group.waitForAll()
        }
        #expect(try sandbox.paths() == [])
    }
}
