import Directory
import DirectoryReplicas
import Foundation
import TestSupport
import Testing

/// Sets whose elements another version of the app writes in another order.
@Suite struct MemberOrderTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(apollo)
        try settle(devices, carrier)
    }

    private var conflictCounts: [Int] { devices.map(\.replica.conflicts.count) }

    /// Writes the item with this text of a member, as an older version of the app does.
    private func write(_ member: String, on device: TestDevice) throws {
        let line =
            #"{"id":"\#(apollo.id)","title":"Apollo","folderName":"Apollo",\#(member)}"#
        let projects = LineCollection(device.projects)
        let coding = LineCoding(of: Project.self, projects.options, at: device.store)
        let decoded = try coding.decode(Array(line.utf8)[...])
        try projects.write(importing: nil) { draft, _ in try draft.replace(by: decoded) }
    }

    private func line(on device: TestDevice) throws -> String {
        try device.projects.load()
        let line = try #require(LineCollection(device.projects).lines.first)
        return String(decoding: line.bytes, as: UTF8.self)
    }

    /// Whether both devices show `member`, in lines that are equal.
    private func showBoth(_ member: String) throws -> Bool {
        let lines = try devices.map(line(on:))
        return lines[0] == lines[1] && lines[0].contains(member)
    }

    @Test func oneSetInTwoOrdersIsNoConflict() throws {
        try write(#""marks":["x","y"]"#, on: a)
        try write(#""marks":["y","x"]"#, on: b)
        try settle(devices, carrier)
        #expect(conflictCounts == [0, 0])
        #expect(try showBoth(#""marks":["#))
        try a.projects.update(id: apollo.id) { $0.marks?.insert("z") }
        try settle(devices, carrier)
        #expect(conflictCounts == [0, 0])
        #expect(try showBoth(#""marks":["x","y","z"]"#))
    }

    @Test func anotherOrderOfASetDoesNotHideAChange() throws {
        try write(#""marks":["x","y"]"#, on: a)
        try settle(devices, carrier)
        try write(#""marks":["y","x"]"#, on: a)
        try b.projects.update(id: apollo.id) { $0.marks = ["z"] }
        try settle(devices, carrier)
        #expect(conflictCounts == [0, 0])
        #expect(try showBoth(#""marks":["z"]"#))
    }

    @Test(arguments: [#""route":"#, #""unknown":"#])
    func twoOrdersOfAnArrayAreAConflict(_ name: String) throws {
        try write(#"\#(name)["x","y"]"#, on: a)
        try write(#"\#(name)["y","x"]"#, on: b)
        try settle(devices, carrier)
        #expect(conflictCounts == [1, 1])
    }
}
