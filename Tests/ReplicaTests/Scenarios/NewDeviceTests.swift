import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// A device that is new gets everything at once.
@Suite struct NewDeviceTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")
    private let notes = (0..<100).map { Note(text: "N\($0)") }

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        var options = ReplicaOptions()
        options.changesLimit = 0
        options.localFileLimit = 0
        options.largeImport = 50
        (devices, carrier) = try makeDevices("a", "b", options: options)
        try a.projects.append(apollo)
        try a.notes(apollo.id).append(contentsOf: notes)
        try a.sync()
        try carrier.carry(from: a, to: b)
    }

    /// The file with the state that `a` has written.
    private func sharedState() throws -> [UInt8] {
        let path = try #require(
            carrier.files(from: "a").first { $0.last?.string.contains("-s-") == true })
        let folder = try carrier.disk.openFolder(at: "/a/shared/replicas/\(path[1])")
        return try #require(try carrier.disk.readAll(path[2], in: folder))
    }

    private func localFile() throws -> [UInt8] {
        let folder = try carrier.disk.openFolder(at: "/b/store")
        let name = try FileName(validating: ".projects.replica")
        return try #require(try carrier.disk.readAll(name, in: folder))
    }

    /// The bytes are neither written anew nor twice.
    @Test func itsLocalFileHasTheSharedStateAsItIs() throws {
        try b.sync()
        let (shared, local) = try (sharedState(), localFile())
        let header = try #require(local.firstIndex(of: UInt8(ascii: "\n")))
        #expect(local[(header + 1)...].starts(with: shared))
        #expect(local.count < shared.count + 2000)
        #expect(try b.notes(apollo.id).loaded() == notes)
    }

    /// The process can die after the collections have everything, and before that is recorded.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func itsChangesAreThoseSinceThen(
        _ isKilled: Bool
    ) throws {
        try b.restart { _, line in
            let isRecord = line.hasPrefix("write ") && line.hasSuffix("/.projects.replica")
            return isKilled && isRecord ? .killed : .works
        }
        _ = try? b.sync()
        #expect(b.process.isDead == isKilled)
        try b.restart()
        #expect(try b.sync().published == 0)
        let ours = try b.notes(apollo.id)
        try ours.update(id: notes[7].id) { $0.text = "new" }
        try ours.remove(id: notes[8].id)
        try ours.move(fromOffsets: [8], toOffset: 0)
        try b.restart()
        #expect(try b.sync().published == 3)
        try settle(devices, carrier)
        var expected = notes
        expected[7].text = "new"
        expected.remove(at: 8)
        expected.insert(expected.remove(at: 8), at: 0)
        for device in devices { #expect(try device.notes(apollo.id).loaded() == expected) }
    }

    @Test func whatItHasNotShownYetIsNotRemoved() throws {
        try b.restart { _, line in
            line.hasPrefix("rename ") && line.hasSuffix("/projects.json") ? .killed : .works
        }
        _ = try? b.sync()
        #expect(b.process.isDead)
        try b.restart()
        #expect(try b.sync().published == 0)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.projects.loaded().map(\.id) == [apollo.id])
            #expect(try device.notes(apollo.id).loaded() == notes)
        }
    }
}
