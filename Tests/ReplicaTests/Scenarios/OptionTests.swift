import Directory
import DirectoryReplicas
import Foundation
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
}
