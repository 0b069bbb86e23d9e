import Directory
import DirectoryReplicas
import Foundation
import Testing

/// A process that died after it committed an order that came from another device, and before it recorded that.
@Suite struct InterruptedOrderTests {
    /// The first item is where it was, but others have given it another position.
    @Test func anOrderOfOthersBehindAnUnchangedItemIsNotPublished() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(contentsOf: ["A", "B", "C"].map { Project($0) })
        try settle(devices, carrier)
        try b.projects.move(fromOffsets: [2], toOffset: 0)
        try b.sync()
        try b.projects.move(fromOffsets: [1], toOffset: 0)
        try b.sync()
        try carrier.carry(from: b, to: a)
        try a.syncUntilCommit()
        #expect(a.projects.items.map(\.title) == ["A", "C", "B"])
        #expect(try a.sync().published == 0)
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.items.map(\.title) == ["A", "C", "B"]) }
    }
}
