import Directory
import DirectoryReplicas
import Foundation
import Synchronization
import TestSupport
import Testing

/// The number that a folder name gets on a device is not told to others.
@Suite struct NameTests {
    @Test func aNumberIsNotPublishedAfterACrash() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try b.projects.append(Project("Trip"))
        try b.sync()
        try a.projects.append(Project("Trip"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        // Killed after the import was committed, and before that is recorded.
        let records = Mutex(0)
        try b.restart { _, line in
            guard line.hasPrefix("write "), line.hasSuffix("/.projects.replica") else {
                return .works
            }
            return records.withLock {
                $0 += 1; return $0
            } == 2 ? .killed : .works
        }
        _ = try? b.sync()
        #expect(b.process.isDead)
        try b.restart()
        try b.projects.load()
        #expect(Set(b.projects.items.map(\.folderName)) == ["Trip", "Trip 2"])
        #expect(try b.sync().published == 0)
        try settle(devices, carrier)
        let first = try #require(a.projects.items.first { $0.folderName == "Trip" })
        try a.projects.remove(id: first.id)
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.items.map(\.folderName) == ["Trip"]) }
    }
}
