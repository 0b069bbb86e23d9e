import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// Defects that the seed library had with the files and folders of items.
struct SeedPhotoDefectTests {
    let sandbox: Sandbox
    let projects: Directory<Project>
    let project = Project(title: "Apollo")
    let photos: Directory<Photo>

    init() throws {
        sandbox = try Sandbox()
        projects = try Directory(parent: sandbox.url, fileName: "projects.json")
        try projects.append(project)
        photos = try projects.child(.photos, of: project.id)
    }

    /// The paths of the files of the photographs.
    private func assets() throws -> [String] {
        let prefix = "Project_\(project.title)/photos/"
        return try sandbox.paths().filter { $0.hasPrefix(prefix) }
    }

    @Test func failedBatchLeavesNoOrphans() throws {
        let kept = try photos.insert(Data([1]))
        let good = try StagedAsset(Data([2]), name: "good.jpg")
        let gone = try StagedAsset(Data([3]), name: "gone.jpg")
        try gone.discard()
        defer { try? good.discard() }
        expectError(.sourceMissing) { try photos.insert([good, gone]) }
        #expect(photos.items.map(\.id) == [kept.id])
        #expect(try assets() == ["Project_Apollo/photos/\(kept.fileName)"])
        #expect(FileManager.default.fileExists(atPath: good.url.path))
        #expect(try photos.verify() == [])
    }

    @Test func batchThatFailsAtItsLastItemLeavesNoOrphans() throws {
        let stage = try photos.makeStage()
        for byte in 1...3 { try stage.write(Data([UInt8(byte)])) }
        let id = UUID()
        expectError(.duplicateID) {
            try photos.insert(stage) { staged in
                Photo(
                    id: staged == stage.assets[0] ? UUID() : id, date: .now, name: "",
                    fileName: UUID().uuidString, byteCount: staged.byteCount)
            }
        }
        #expect(photos.isEmpty)
        #expect(try assets() == [])
        #expect(try photos.insert(stage).count == 3)
        #expect(try assets().count == 3)
    }

    @Test func namesThatDifferInPunctuationDoNotShareAFolder() throws {
        let titles = ["A B", "AB", "A-B", "A.B"]
        for title in titles {
            let project = Project(title: title)
            try projects.append(project)
            try projects.child(.photos, of: project.id).insert(Data(title.utf8))
        }
        for project in projects.items.dropFirst() {
            let photos = try projects.child(.photos, of: project.id)
            #expect(try photos.readFirst() == Data(project.title.utf8))
            #expect(photos.count == 1)
        }
    }

    @Test(arguments: ["apollo", "APOLLO", "Apollo"])
    func nameOfAnotherProjectIsRefusedInAnyCase(_ title: String) throws {
        expectError(.nameTaken) { try projects.append(Project(title: title)) }
        #expect(projects.count == 1)
    }

    @Test func folderIsRenamedWithItsProject() throws {
        let photo = try photos.insert(Data([1]))
        try projects.update(id: project.id) { $0.title = "Gemini" }
        #expect(try photos.data(of: photo.id) == Data([1]))
        #expect(try photos.url(of: photo.id).path.contains("Project_Gemini/photos/"))
        #expect(try !sandbox.paths().contains("Project_Apollo"))
        try photos.insert(Data([2]))
        #expect(try projects.child(.photos, of: project.id).count == 2)
    }

    @Test(arguments: ["..", "a/b", "", "a\0b", String(repeating: "x", count: 256)])
    func invalidFolderNameIsRefused(_ name: String) throws {
        let albums = try Directory<Album>(at: sandbox.url, index: "albums.json")
        let before = try sandbox.paths()
        expectError(.invalidName) {
            try albums.append(Album(name: name, parent: sandbox.url))
        }
        #expect(try Set(sandbox.paths()).subtracting(before) == [".albums.lock"])
    }

    @Test func fileExtensionIsKept() throws {
        let named = try photos.insert(Data([1]), name: "moon.HEIC")
        let known = try photos.insert(Data([0xFF, 0xD8, 0xFF, 0xE0]))
        #expect(named.fileName.hasSuffix(".heic"))
        #expect(known.fileName.hasSuffix(".jpg"))
        #expect(try photos.url(of: named.id).pathExtension == "heic")
    }

    @Test func recordOfAPhotoHasNoParent() throws {
        try photos.insert(Data([1]))
        let text = try sandbox.text("Project_Apollo/photos.json")
        #expect(!text.contains("parent"))
        #expect(!text.contains(sandbox.url.path))
    }

    @Test func recordOfTheSeedWithItsParentIsRead() throws {
        let id = UUID()
        try sandbox.write("bytes", to: "Seed/Photos/\(id.uuidString)")
        try sandbox.write(
            #"[{"id":"\#(id.uuidString)","date":0,"item":{"name":"Apollo","id":"1"}}]"#,
            to: "Seed/photos.json")
        let photos = try Directory<Photo>(parent: sandbox.url("Seed"), fileName: "photos.json")
        photos.fetch(.sync)
        #expect(photos.items.map(\.id) == [id])
        #expect(try photos.readFirst() == Data("bytes".utf8))
        try photos.insert(Data([1]))
        #expect(try photos.data(of: id) == Data("bytes".utf8))
        #expect(photos.count == 2)
    }
}
