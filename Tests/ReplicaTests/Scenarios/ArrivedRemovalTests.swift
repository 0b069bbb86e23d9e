import Directory
import DirectoryReplicas
import Foundation
import Synchronization
import TestSupport
import Testing

/// Removals of others that have arrived on a device whose process is killed.
@Suite struct ArrivedRemovalTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let projects = (0..<40).map { Project("P\($0)") }

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: projects)
        try settle(devices, carrier)
    }

    /// Its place in the order is not a part of the item that keeps it.
    @Test func aMoveInTheOrderBringsNothingBack() throws {
        try a.projects.remove(id: projects[0].id)
        try a.sync()
        try carrier.carry(from: a, to: b)
        // Killed after it has noted the removal, and before the import.
        let isNoted = Mutex(false)
        try b.restart { _, line in
            if line.hasPrefix("write "), line.hasSuffix("/.projects.replica") {
                isNoted.withLock { $0 = true }
            }
            return line.hasPrefix("lock ") && isNoted.withLock { $0 } ? .killed : .works
        }
        _ = try? b.sync()
        #expect(b.process.isDead)
        try b.restart()
        try b.projects.load()
        #expect(b.projects.count == 40)
        try b.projects.move(fromOffsets: [0, 1], toOffset: 10)
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.count == 39) }
        #expect(a.projects.items == b.projects.items)
        #expect(a.projects.items[8].id == projects[1].id)
    }

    @Test func aRemovalThatWasReleasedElsewhereIsNotHeldAfterACrash() throws {
        try a.projects.remove(ids: projects.prefix(30).map(\.id))
        #expect(try a.sync().held == 30)
        guard case .held(let held) = a.replica.status else {
            Issue.record("nothing is held")
            return
        }
        try a.replica.release(held)
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.syncUntilCommit()
        #expect(b.projects.count == 10)
        #expect(try b.sync().published == 0)
        try settle(devices, carrier)
        #expect(a.projects.items == b.projects.items)
    }
}
