import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

struct ContainerTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes()
    }

    @Test func readingMakesNoFolders() throws {
        try boxes.load()
        #expect(try boxes.verify().isEmpty)
        #expect(try sandbox.tree().filter { $0.key != ".boxes.lock" }.isEmpty)
    }

    @Test func folderIsMadeWithItsItem() throws {
        try boxes.append(Box(id: 1, folderName: "One"))
        #expect(sandbox.status("One")?.kind == .folder)
        #expect(try boxes.folder(of: 1).path == sandbox.url("One").path)
        #expect(try sandbox.tree("One").isEmpty)
    }

    @Test(arguments: ["100% #1?", "Ä b", "a:b", "...", "~", "-rf", "new\nline", "\u{1F4F7}"])
    func anyVisibleNameWorks(_ name: String) throws {
        let visible = name.hasPrefix(".") ? "x\(name)" : name
        try boxes.append(Box(id: 1, folderName: visible))
        let photos = try boxes.child(.photos, of: 1)
        let photo = try photos.insert(Data([1]))
        #expect(try Data(contentsOf: photos.url(of: photo.id)) == Data([1]))
        #expect(try boxes.folder(of: 1).path == sandbox.url(visible).path)
    }

    @Test func folderNameIsTheIDByDefault() throws {
        struct Plain: Container { var id: Int }
        let plain = try Directory<Plain>(at: sandbox.url, index: "plain.json")
        try plain.append(Plain(id: 7))
        #expect(sandbox.status("7")?.kind == .folder)
    }

    @Test func folderOfAMissingItemIsAnError() throws {
        expectError(.itemNotFound) { try boxes.folder(of: 1) }
        expectError(.itemNotFound) { try boxes.child(.photos, of: 1) }
        #expect(try sandbox.tree().isEmpty)
    }

    @Test(arguments: ["", "../x", "a/b", ".hidden", "a\0b"])
    func childWithAnInvalidNameIsRefused(_ name: String) throws {
        try boxes.append(Box(id: 1, folderName: "One"))
        expectError(.invalidLocation) { try boxes.child(Child<Photo>(name), of: 1) }
        #expect(try sandbox.tree("One").isEmpty)
    }

    @Test func childHasTheOptionsOfItsParentOrThoseThatItIsGiven() async throws {
        let parent = DirectoryOptions(durability: .relaxed, filePermissions: 0o640)
        let boxes = try sandbox.boxes("other", options: parent)
        try await boxes.append(Box(id: 1, folderName: "One"))
        let notes = try await boxes.child(.notes, of: 1)
        try await notes.append(.eggs)
        #expect(sandbox.mode("other/One/notes.json") == 0o640)
        let options = DirectoryOptions(filePermissions: 0o600)
        try await boxes.child(.photos, of: 1, options: options).insertNow(Data([1]))
        #expect(sandbox.mode("other/One/photos.json") == 0o600)
        let error = await expectError(.optionsDiffer) {
            try await boxes.child(.notes, of: 1, options: options)
        }
        #expect(error?.url.lastPathComponent == "notes.json")
    }

    @Test func twoHandlesOfOneChildShareTheirItems() throws {
        try boxes.append(Box(id: 1, folderName: "One"))
        let (first, second) = try (boxes.child(.notes, of: 1), boxes.child(.notes, of: 1))
        try first.append(.eggs)
        #expect(Array(second.items) == [.eggs])
        try second.append(.milk)
        #expect(Array(first.items) == [.eggs, .milk])
    }

    @Test func nestedChildrenAreReadByAnotherProcess() throws {
        let people = try Directory<Box>(at: sandbox.url, index: "people.json")
        let bytes = Data([0xFF, 0xD8, 0xFF, 9])
        let project = Project(title: "Apollo")
        let photo = try {
            try people.append(Box(id: 1, folderName: "Ada"))
            let projects = try people.child(.projects, of: 1)
            try projects.append(project)
            return try projects.child(.photos, of: project.id).insert(bytes, name: "moon.jpg")
        }()
        let path = "Ada/Project_Apollo/photos/\(photo.fileName)"
        #expect(try sandbox.bytes(path) == bytes)
        struct OtherPerson: Container {
            var id: Int
            var folderName: String
        }
        let reopened = try Directory<OtherPerson>(at: sandbox.url, index: "people.json")
        let photos = try reopened.child(.projects, of: 1).child(.photos, of: project.id)
        try photos.load()
        #expect(Array(photos.items) == [photo])
        #expect(try photos.data(of: photo.id) == bytes)
    }

    @Test func containersNestThirtyLevelsDeep() throws {
        var level = boxes
        for depth in 1...30 {
            try level.append(Box(id: depth, folderName: "b"))
            level = try level.child(.parts, of: depth)
        }
        try level.append(Box(id: 0, folderName: "bottom"))
        #expect(try level.folder(of: 0).path.hasSuffix("/b/b/b/bottom"))
        #expect(sandbox.exists(String(repeating: "b/", count: 30) + "bottom"))
    }

    @Test func newFilesAndFoldersArePrivate() throws {
        try boxes.append(Box(id: 1, folderName: "One"))
        let photo = try boxes.child(.photos, of: 1).insert(Data([1]))
        for (path, entry) in try sandbox.tree() {
            switch entry {
            case .file(_, let mode): #expect(mode == 0o600, "\(path)")
            case .folder(let mode): #expect(mode == 0o700, "\(path)")
            default: Issue.record("\(path)")
            }
        }
        #expect(sandbox.mode("One/photos/\(photo.fileName)") == 0o600)
    }

    @Test func newFilesAndFoldersHaveThePermissionsOfTheOptions() throws {
        var options = DirectoryOptions()
        options.filePermissions = 0o666
        options.folderPermissions = 0o777
        let open = try sandbox.boxes("new/store", options: options)
        try open.append(Box(id: 1, folderName: "One"))
        let photos = try open.child(.photos, of: 1)
        let stage = try photos.makeStage()
        let staged = try stage.write(Data([1]))
        #expect(mode(of: staged.url) == 0o666)
        #expect(sandbox.mode("new/store/One/.staging") == 0o777)
        try photos.insert(stage)
        let tree = try sandbox.tree()
        #expect(tree.count == 9)
        for (path, entry) in tree {
            switch entry {
            case .file(_, let mode): #expect(mode == 0o666, "\(path)")
            case .folder(let mode): #expect(mode == 0o777, "\(path)")
            default: Issue.record("\(path)")
            }
        }
    }

    private func mode(of url: URL) -> UInt16? {
        sandbox.mode(String(url.path.dropFirst(sandbox.url.path.count + 1)))
    }
}

extension Directory<Photo> {
    fileprivate func insertNow(_ data: Data) throws { try insert(data) }
}
