import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// A device whose new file of a photo cannot be read for a while, and that was told to nobody: its bytes stay.
@Suite struct UnreadFileTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")
    private let gemini = Project("Gemini")
    private let photo: Photo

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try devices[1].projects.append(contentsOf: [apollo, gemini])
        photo = try devices[1].photos(gemini.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
    }

    /// Replaces the file of the photo on `b`, whose next process may not open it.
    private func replaceUnreadably() throws {
        try b.replaceFile(of: photo.id, in: gemini.id, by: [2, 2])
        try b.restart(withoutFileOf: #require(try b.photos(gemini.id).loaded().first))
    }

    /// Whether the bytes of the new file are in the shared folder of `b`.
    private func isShared() throws -> Bool {
        let hash = SHA256.hash([2, 2]).description
        return try carrier.files(from: "b").contains { $0.last?.string == hash }
    }

    private func expectQuiet() throws {
        for device in devices {
            #expect(try device.sync().published == 0)
            #expect(device.replica.pending.isEmpty && device.replica.unusedFiles.isEmpty)
            for project in [apollo, gemini] {
                guard try device.projects.loaded().contains(where: { $0.id == project.id }) else {
                    continue
                }
                #expect(try device.photos(project.id).verify().isEmpty)
            }
        }
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aFileOfOthersDoesNotReplaceIt(_ isToldBefore: Bool) throws {
        try replaceUnreadably()
        if isToldBefore { try settle(devices, carrier) }
        try a.replaceFile(of: photo.id, in: gemini.id, by: [3, 3, 3])
        try settle(devices, carrier)
        #expect(try b.photos(gemini.id).loaded().map(\.id) == [photo.id])
        try b.restart()
        try settle(devices, carrier)
        #expect(try isShared())
        let bytes = try devices.map { try $0.photos(gemini.id).data(of: photo.id) }
        #expect(bytes[0] == bytes[1])
        try expectQuiet()
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1), Sweep.cases([false, true], sample: 1))
    func aRemovalByOthersDoesNotRemoveIt(_ isToldBefore: Bool, _ withProject: Bool) throws {
        try replaceUnreadably()
        if isToldBefore { try settle(devices, carrier) }
        if withProject {
            try a.projects.remove(id: gemini.id)
        } else {
            try a.photos(gemini.id).remove(id: photo.id)
        }
        try settle(devices, carrier)
        #expect(b.projects.items.contains { $0.id == gemini.id })
        #expect(try b.photos(gemini.id).loaded().map(\.id) == [photo.id])
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.projects.loaded().contains { $0.id == gemini.id })
            #expect(try device.photos(gemini.id).data(of: photo.id) == Data([2, 2]))
        }
        try expectQuiet()
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aMoveByOthersLeavesIt(_ withProjectRemoved: Bool) throws {
        try replaceUnreadably()
        try a.photos(gemini.id).transfer([photo.id], to: a.photos(apollo.id))
        if withProjectRemoved { try a.projects.remove(id: gemini.id) }
        try settle(devices, carrier)
        #expect(try b.photos(gemini.id).loaded().map(\.id) == [photo.id])
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(apollo.id).data(of: photo.id) == Data([2, 2]))
        }
        try expectQuiet()
    }

    /// Neither a folder nor a link is read as a file.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func somethingElseInThePlaceOfAFileStopsNothingElse(_ isMoved: Bool) throws {
        let new = try b.photos(gemini.id).insert(Data([5]), name: "sun.jpg")
        if isMoved { try settle(devices, carrier) }
        try b.projects.close()
        let folder = try carrier.disk.openFolder(at: "/b/store/Gemini/photos")
        let name = try FileName(validating: new.fileName)
        try carrier.disk.removeFile(name, in: folder)
        try carrier.disk.makeFolder(name, in: folder, mode: 0o755)
        try b.restart()
        if isMoved {
            try a.photos(gemini.id).transfer([new.id], to: a.photos(apollo.id))
            try a.sync()
            try carrier.carry(from: a, to: b)
            try carrier.disk.removeTree("assets", in: carrier.disk.openFolder(at: "/b/shared"))
        }
        try a.projects.append(Project("Skylab"))
        try settle(devices, carrier)
        for device in devices { #expect(try device.projects.loaded().count == 3) }
        for device in devices { #expect(try device.sync().published == 0) }
    }

    /// The file in the shared folder is written again, or its folder cannot be opened for a while.
    @Test(arguments: Sweep.cases([false, true], sample: 1), Sweep.cases([false, true], sample: 1))
    func aSharedFileThatCannotBeReadStopsNothingElse(_ isMoved: Bool, _ isFolder: Bool) throws {
        let hash = SHA256.hash([1]).description
        if isMoved {
            try a.photos(gemini.id).transfer([photo.id], to: a.photos(apollo.id))
        } else {
            try b.photos(apollo.id).insert(Data([1]), name: "same.jpg")
        }
        try a.projects.append(Project("Skylab"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.restart { _, line in
            let isBad = isFolder ? line.hasSuffix("/\(hash.prefix(2))") : line.hasSuffix("/\(hash)")
            return line.hasPrefix("open /b/shared/assets/") && isBad
                ? .fails(.accessDenied) : .works
        }
        try b.sync()
        #expect(b.projects.count == 3)
        if isFolder {
            #expect(b.replica.unusedFiles.map(\.path) == ["assets/\(hash.prefix(2))"])
        }
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(apollo.id).loaded().count == 1)
        }
        try expectQuiet()
    }

    /// The photo that is told without its file is shown by nobody then.
    @Test func anAlbumWithAPhotoWithoutItsFileCanBeRemoved() throws {
        let album = Album(folderName: "Day")
        try b.albums(gemini.id).append(album)
        let new = try b.albums(gemini.id).child(.photos, of: album.id)
            .insert(Data([5]), name: "sun.jpg")
        let folder = try carrier.disk.openFolder(at: "/b/store/Gemini/Day/photos")
        try carrier.disk.removeFile(FileName(validating: new.fileName), in: folder)
        try settle(devices, carrier)
        try a.albums(gemini.id).transfer([album.id], to: a.albums(apollo.id))
        try settle(devices, carrier)
        try a.albums(apollo.id).remove(id: album.id)
        try settle(devices, carrier)
        for device in devices { #expect(try device.albums(apollo.id).loaded().isEmpty) }
        try expectQuiet()
    }
}
