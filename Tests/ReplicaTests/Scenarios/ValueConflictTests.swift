import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Members with several values, of items that are shown in an older version, or have text as ids.
@Suite struct ValueConflictTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let projects = [Project("Apollo"), Project("Gemini")]

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: projects)
        try settle(devices, carrier)
    }

    @Test func aConflictEndsAlsoWhileAFileIsPending() throws {
        let apollo = projects[0].id
        let photo = try a.photos(apollo).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        try a.replaceFile(of: photo.id, in: apollo, by: [2, 2])
        for device in devices {
            try device.photos(apollo).update(id: photo.id) { $0.name = device.name }
            try device.sync()
        }
        for file in try carrier.files(from: "a") where file.first != "assets" {
            try carrier.carry(file, from: "a", to: "b")
        }
        #expect(try b.sync().pending == 1)
        let conflict = try #require(b.replica.conflicts.first { $0.member == "name" })
        let value = try #require(conflict.values.first { $0.json == "\"b\"" })
        try b.replica.resolve(conflict, keeping: value)
        #expect(b.replica.conflicts.isEmpty)
        try settle(devices, carrier)
        for device in devices {
            #expect(device.replica.conflicts.isEmpty)
            #expect(try device.photos(apollo).loaded().map(\.name) == ["b"])
            #expect(try device.photos(apollo).data(of: photo.id) == Data([2, 2]))
        }
    }

    /// Some members, such as the size, describe the file.
    @Test(arguments: Sweep.cases([0, 1], sample: 1)) func aValueBringsTheFileThatCameWithIt(
        _ choice: Int
    ) throws {
        let apollo = projects[0].id
        let photo = try a.photos(apollo).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        try a.replaceFile(of: photo.id, in: apollo, by: [2, 2])
        try b.replaceFile(of: photo.id, in: apollo, by: [3, 3, 3])
        try settle(devices, carrier)
        let conflict = try #require(a.replica.conflicts.first { $0.member == "byteCount" })
        try a.replica.resolve(conflict, keeping: conflict.values[choice])
        try settle(devices, carrier)
        for device in devices {
            let photos = try device.photos(apollo)
            let shown = try #require(photos.loaded().first)
            #expect(conflict.values[choice].json == "\(shown.byteCount)")
            #expect(try photos.data(of: photo.id).count == shown.byteCount)
            #expect(device.replica.conflicts.isEmpty)
        }
    }

    @Test func conflictsOfItemsWithOneTextAsIDDiffer() throws {
        for project in projects { try a.tags(project.id).append(Tag(id: "moon", color: "red")) }
        try settle(devices, carrier)
        for device in devices {
            for project in projects {
                try device.tags(project.id).update(id: "moon") { $0.color = device.name }
            }
        }
        try settle(devices, carrier)
        for device in devices {
            #expect(device.replica.conflicts.map(\.itemID) == ["moon", "moon"])
            #expect(Set(device.replica.conflicts.map(\.id)).count == 2)
        }
    }
}
