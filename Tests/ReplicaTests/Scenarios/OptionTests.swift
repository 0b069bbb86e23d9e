import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Options with extreme values.
@Suite struct OptionTests {
    private func projects(with options: ReplicaOptions) throws -> ([TestDevice], Carrier) {
        let (devices, carrier) = try makeDevices("a", "b", options: options)
        try devices[0].projects.append(Project("Apollo"))
        try settle(devices, carrier)
        #expect(devices[1].projects.items.map(\.title) == ["Apollo"])
        return (devices, carrier)
    }

    @Test func removedItemsCanBeRememberedForEver() throws {
        var options = ReplicaOptions(memory: .seconds(Int64.max))
        (options.fileLimit, options.changesLimit) = (2, 1)
        let (_, carrier) = try projects(with: options)
        let files = try carrier.files(from: "a").compactMap { $0.last.flatMap(SegmentName.init) }
        #expect(files.contains { $0.content == .state })
    }

    /// Others could not read a longer name, nor the segments behind it.
    @Test func aDeviceNameOfAnyLengthIsRead() throws {
        let name = String(repeating: "e\u{301}", count: 5000)
        let (devices, _) = try projects(with: ReplicaOptions(deviceName: name))
        for device in devices {
            try device.restart()
            try device.sync()
            #expect(device.replica.devices.count == 2)
            #expect(device.replica.devices.allSatisfy { name.hasPrefix($0.name ?? "-") })
            #expect(device.replica.unusedFiles.isEmpty)
        }
    }

    /// A file that is larger than a limit is read by nobody.
    @Test func aLargeChangeIsWrittenInSeveralFiles() throws {
        var options = ReplicaOptions()
        options.segmentSize = 1000
        let (devices, carrier) = try makeDevices("a", "b", options: options)
        try devices[0].projects.append(contentsOf: (0..<30).map { Project("P\($0)") })
        try devices[0].sync()
        let files = try carrier.files(from: "a").filter { $0.first == "replicas" }
        #expect(files.count > 5)
        for file in files {
            let folder = try carrier.disk.openFolder(at: "/a/shared/replicas/\(file[1])")
            let size = try #require(carrier.disk.status(of: file[2], in: folder)?.size)
            #expect(size < 3000)
        }
        try settle(devices, carrier)
        #expect(devices[1].projects.count == 30)
    }

    /// Others could not read the times.
    @Test func aClockBefore1970StopsNothing() throws {
        let disk = MemoryFileSystem()
        let clock = TestClock(-5_000_000)
        let devices = try [("a", 1), ("b", 2)].map { name, seed in
            try TestDevice(name, on: disk, environment: clock.environment(seed: seed))
        }
        try devices[0].projects.append(Project("Apollo"))
        try settle(devices, Carrier(disk: disk))
        #expect(devices[1].projects.items.map(\.title) == ["Apollo"])
        try devices[0].restart()
        #expect(try devices[0].sync().published == 0)
    }
}
