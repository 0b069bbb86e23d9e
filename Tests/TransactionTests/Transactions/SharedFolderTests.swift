import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Containers and other collections in one folder: no collection gets what another one owns.
struct SharedFolderTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes()
    }

    private func photos() throws -> Directory<Photo> {
        try Directory(at: sandbox.url, index: "photos.json")
    }

    @Test(arguments: ["boxes.recovered", "photos.recovered", "x.RECOVERED", ".recovered"])
    func containerCannotHaveTheNameOfWhatWasSetAside(_ name: String) throws {
        try boxes.append(Box(id: 1, folderName: "One"))
        let tree = try sandbox.tree()
        expectError(.invalidName) { try boxes.append(Box(id: 2, folderName: name)) }
        expectError(.invalidName) { try boxes.update(id: 1) { $0.folderName = name } }
        #expect(try sandbox.tree() == tree)
    }

    @Test func removalKeepsWhatWasSetAsideEvenIfTheIndexWasEdited() throws {
        try sandbox.write("set aside", to: "boxes.recovered/photo")
        try sandbox.write(
            #"[{"id":1,"folderName":"boxes.recovered"},{"id":2,"folderName":"Two"}]"#,
            to: "boxes.json")
        try boxes.load()
        #expect(try boxes.verify().map(\.kind) == [.unusableName])
        expectError(.invalidName) { try boxes.folder(of: 1) }
        expectError(.invalidName) { try boxes.child(.notes, of: 1) }
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        #expect(try sandbox.text("boxes.recovered/photo") == "set aside")
    }

    @Test(arguments: ["photos", "Photos", "PHOTOS"])
    func firstCommitIsRefusedIfAContainerMayOwnTheFolderOfItsAssets(_ name: String) throws {
        try boxes.append(Box(id: 1, folderName: name))
        try boxes.child(.notes, of: 1).append(.eggs)
        let tree = try sandbox.tree()
        let photos = try photos()
        let error = expectError(.nameTaken) { try photos.insert(Data([1])) }
        #expect(error?.url.lastPathComponent == name)
        // What is in the folder looks like files without an item.
        if name != "PHOTOS" { expectError(.nameTaken) { try photos.repair() } }
        #expect(photos.isEmpty)
        let isLock = { (name: String) in [".boxes.lock", ".photos.lock"].contains(name) }
        #expect(try sandbox.tree().filter { !isLock($0.key) } == tree.filter { !isLock($0.key) })

        try boxes.remove(id: 1)
        try boxes.checkpoint()
        let photo = try photos.insert(Data([1]))
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: name)) }
        #expect(try photos.data(of: photo.id) == Data([1]))
    }

    @Test func transferToAnIndexWhoseFolderAContainerMayOwnIsRefused() throws {
        try boxes.append(Box(id: 1, folderName: "photos"))
        let source = try sandbox.photos("elsewhere")
        let photo = try source.insert(Data([1]))
        expectError(.nameTaken) { try source.transfer([photo.id], to: photos()) }
        #expect(try source.data(of: photo.id) == Data([1]))
    }

    @Test func folderOfAssetsIsNotTakenWithoutAnotherIndex() throws {
        try sandbox.write("bytes", to: "alone/photos/a.jpg")
        let photos = try sandbox.photos("alone")
        #expect(try photos.repair().count == 1)
        try photos.insert(Data([1]))
        #expect(photos.count == 2)
    }

    @Test func removalKeepsTheAssetsOfAnotherIndexEvenIfTheIndexWasEdited() throws {
        let photos = try photos()
        let photo = try photos.insert(Data([1]))
        try sandbox.write(#"[{"id":1,"folderName":"photos"}]"#, to: "boxes.json")
        try boxes.load()
        try boxes.update(id: 1) { $0.folderName = "Renamed" }
        #expect(try photos.data(of: photo.id) == Data([1]))
        try sandbox.write(
            #"[{"id":2,"folderName":"photos"},{"id":3,"folderName":"Three"}]"#, to: "boxes.json")
        try boxes.transfer([2], to: sandbox.boxes("other"))
        try boxes.checkpoint()
        #expect(try photos.data(of: photo.id) == Data([1]))
        try sandbox.write(#"[{"id":2,"folderName":"photos"}]"#, to: "boxes.json")
        try boxes.remove(id: 2)
        try boxes.checkpoint()
        #expect(try photos.data(of: photo.id) == Data([1]))
    }

    @Test func firstImportThatWasKilledCanBeTriedAgainBesideAnotherIndex() throws {
        try boxes.append(Box(id: 1, folderName: "One"))
        let stem = sandbox.url("photos").path
        let rehearsal = ProcessFileSystem(LocalFileSystem()) { _, call in
            // The folder of assets is there, and the first file is about to move into it.
            call.hasPrefix("rename") && call.contains(" to \(stem)/") ? .killed : .works
        }
        let killed = try Directory<Photo>(at: sandbox.url, index: "photos.json", on: rehearsal)
        #expect(throws: (any Error).self) { try killed.insert(Data([1])) }
        #expect(sandbox.exists("photos"))
        let photos = try photos()
        try photos.insert(Data([2]))
        #expect(photos.count == 1)
        #expect(try photos.verify().isEmpty)
    }
}
