import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Names of folders and files that have to differ from others: what an import makes of them is not told to others, what
/// people make of them is.
@Suite struct NameTests {
    private let devices: [TestDevice]
    private let carrier: Carrier

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws { (devices, carrier) = try makeDevices("a", "b") }

    private func names(_ device: TestDevice) -> [String] {
        device.projects.items.map(\.folderName)
    }

    @Test func aNumberIsNotPublishedAfterACrash() throws {
        try b.projects.append(Project("Trip"))
        try b.sync()
        try a.projects.append(Project("Trip"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.syncUntilCommit()
        #expect(Set(names(b)) == ["Trip", "Trip 2"])
        #expect(try b.sync().published == 0)
        try settle(devices, carrier)
        let first = try #require(a.projects.items.first { $0.folderName == "Trip" })
        try a.projects.remove(id: first.id)
        try settle(devices, carrier)
        for device in devices { #expect(names(device) == ["Trip"]) }
    }

    @Test func aNumberOfAFileIsNotPublishedAfterACrash() throws {
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        let photo = try a.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        // Both files get the same new name.
        for (device, byte) in zip(devices, [UInt8(2), 3]) {
            try device.replaceFile(of: photo.id, in: apollo.id, by: [byte])
            try device.sync()
        }
        let bytes = try devices.map { try $0.photos(apollo.id).data(of: photo.id) }
        try carrier.exchange(devices)
        try a.sync()
        let isOfA = try a.photos(apollo.id).data(of: photo.id) == bytes[0]
        if isOfA { try b.syncUntilCommit() } else { try a.restart() }
        for device in devices { #expect(try device.sync().published == 0) }
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(apollo.id).data(of: photo.id) == bytes[isOfA ? 0 : 1])
            #expect(!device.replica.conflicts.contains { $0.member == "fileName" })
        }
    }

    /// With a number, the name would be longer than a file system allows.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func aNumberFitsBehindALongFileName(
        _ isKilled: Bool
    ) throws {
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        let photo = try a.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        // Both files get the same new name, which has 255 bytes.
        let name = String(repeating: "é", count: 125) + "1.jpg"
        for (device, byte) in zip(devices, [UInt8(2), 3]) {
            let photos = try device.photos(apollo.id)
            let stage = try photos.makeStage()
            try stage.write(Data([byte]), name: "moon.jpg")
            try photos.write(importing: stage) { draft, assets in
                _ = try draft.update(id: photo.id, file: assets[0]) { photo in
                    photo = Photo(
                        id: photo.id, date: photo.date, name: photo.name, fileName: name,
                        byteCount: 1)
                }
            }
            try device.sync()
        }
        let bytes = try devices.map { try $0.photos(apollo.id).data(of: photo.id) }
        try carrier.exchange(devices)
        try a.sync()
        let isOfA = try a.photos(apollo.id).data(of: photo.id) == bytes[0]
        if isOfA, isKilled { try b.syncUntilCommit() }
        for device in devices { #expect(try device.sync().published == 0) }
        try settle(devices, carrier)
        for device in devices {
            let photos = try device.photos(apollo.id)
            #expect(try photos.data(of: photo.id) == bytes[isOfA ? 0 : 1])
            #expect(try photos.loaded().allSatisfy { $0.fileName.utf8.count <= 255 })
            #expect(!device.replica.conflicts.contains { $0.member == "fileName" })
            #expect(device.replica.unreadableItems.isEmpty)
        }
    }

    /// The new container is the later one, so an import would give it the number.
    @Test func aNumberThatSomebodyGaveIsPublished() throws {
        let ids = [UUID(), UUID()].sorted { $0.uuidString < $1.uuidString }
        var (old, new) = (Project("Trip"), Project("Trip"))
        (old.id, new.id) = (ids[0], ids[1])
        try a.projects.append(old)
        try settle(devices, carrier)
        try b.projects.update(id: old.id) { $0.folderName = "Trip 2" }
        try b.projects.append(new)
        try settle(devices, carrier)
        for device in devices { #expect(names(device) == ["Trip 2", "Trip"]) }
    }

    @Test func anotherNumberThatSomebodyGaveIsPublished() throws {
        for device in devices { try device.projects.append(Project("Trip")) }
        try settle(devices, carrier)
        let numbered = try #require(b.projects.items.first { $0.folderName == "Trip 2" })
        try b.projects.update(id: numbered.id) { $0.folderName = "Trip 3" }
        try settle(devices, carrier)
        for device in devices { #expect(Set(names(device)) == ["Trip", "Trip 3"]) }
    }

    /// No container has the name.
    @Test func aNumberBesideAStrayFolderIsNotPublishedAfterACrash() throws {
        let stray = try carrier.disk.openOrMakeFolder(at: "/b/store/Trip", mode: 0o755)
        _ = try carrier.disk.openFile("x.txt", in: stray, for: .create(mode: 0o644))
        try a.projects.append(Project("Trip"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.syncUntilCommit()
        #expect(names(b) == ["Trip 2"])
        #expect(try b.sync().published == 0)
        try settle(devices, carrier)
        #expect(names(a) == ["Trip"] && names(b) == ["Trip 2"])
    }
}
