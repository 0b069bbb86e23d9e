import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Calls of the system that fail for one file of the shared folder.
@Suite struct FailingCallTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: [apollo, Project("Gemini")])
        try settle(devices, carrier)
    }

    /// The status of another device's file, or the removal of a wrong asset, fails.
    @Test(arguments: ["stat /b/shared/replicas/", "remove /b/shared/assets/"])
    func aCallThatFailsForOneFileStopsNothingElse(_ call: String) throws {
        try a.photos(apollo.id).insert(Data([1, 2, 3]), name: "moon.jpg")
        try a.projects.append(Project("Skylab"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        for path in try carrier.files(from: "b") where path.first == "assets" {
            let name = path.map(\.string).joined(separator: "/")
            try carrier.edit("/b/shared/\(name)") { $0 = "abc" }
        }
        let id = try a.id
        try b.restart { _, line in
            line.hasPrefix(call) && (line.contains("\(id)/") || line.contains("/assets/"))
                ? .fails(.ioError) : .works
        }
        try b.projects.append(Project("of b"))
        try b.sync()
        #expect(b.titles.contains("Skylab") == call.hasPrefix("remove"))
        #expect(b.replica.unusedFiles.count == 1)
        try b.restart()
        try settle(devices, carrier)
        #expect(a.titles == b.titles && a.titles.count == 4)
    }
}
