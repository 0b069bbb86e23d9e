import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// The file of the local state is damaged.
@Suite struct DamagedStateTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        var options = ReplicaOptions()
        options.localFileLimit = 0
        (devices, carrier) = try makeDevices("a", "b", options: options)
        try a.projects.append(apollo)
        try settle(devices, carrier)
    }

    /// Lets `b` know of a photo whose file has not arrived, and save its state as a whole.
    private func addPhoto() throws {
        _ = try a.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try a.projects.append(contentsOf: (0..<20).map { Project("\($0)") })
        try a.sync()
        for file in try carrier.files(from: "a") where file.first != "assets" {
            try carrier.carry(file, from: "a", to: "b")
        }
        #expect(try b.sync().pending == 1)
    }

    /// Without the record of what the device shows, the joined state says nothing about that.
    @Test(arguments: Sweep.cases(["", "rest 5 0\n", "rest 2 0\n{}\n"], sample: 1))
    func whatIsShownIsNotWhatTheJoinedStateHas(_ rest: String) throws {
        try addPhoto()
        try b.projects.append(Project("Gemini"))
        try b.projects.close()
        var isSaved = false
        try carrier.edit("/b/store/.projects.replica") { text in
            guard let end = text.range(of: "\nrest ") else { return }
            isSaved = text[..<end.lowerBound].contains("moon.jpg")
            text = "\(text[..<end.lowerBound])\n\(rest)"
        }
        #expect(isSaved)
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(apollo.id).loaded().map(\.name) == ["moon.jpg"])
            #expect(Set(device.projects.items.map(\.title)).isSuperset(of: ["Apollo", "Gemini"]))
            #expect(device.projects.items.count == 22)
        }
    }

    /// A record of another kind would be one of a newer version, and one without its end is cut off.
    @Test(
        arguments: Sweep.cases(
            ["state ", "rest ", "own "].flatMap { kind in
                ["stale ", "rest 9", ""].map { (kind, $0) }
            }, sample: 1))
    func aDamagedRecordIsNotCutOff(_ kind: String, _ damaged: String) throws {
        try addPhoto()
        try b.projects.append(Project("Gemini"))
        try b.sync()
        try b.projects.append(Project("Skylab"))
        try b.sync()
        try b.projects.close()
        var isDamaged = false
        try carrier.edit("/b/store/.projects.replica") { text in
            guard let range = text.range(of: kind) else { return }
            text.replaceSubrange(range, with: damaged)
            isDamaged = true
        }
        #expect(isDamaged)
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(apollo.id).loaded().map(\.name) == ["moon.jpg"])
            #expect(device.projects.items.count == 23)
        }
        let folder = try carrier.disk.openFolder(at: "/b/store")
        let names = try carrier.disk.list(folder).map(\.string)
        #expect(names.contains { $0.hasPrefix(".projects.replica.damaged.") })
    }
}
