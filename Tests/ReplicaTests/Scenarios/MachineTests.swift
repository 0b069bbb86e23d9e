import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// A store on a disk that goes to another machine, or of which there are images.
@Suite struct MachineTests {
    /// They have the same inodes and times, and write at once.
    @Test func twoImagesOfOneDiskAreTwoDevices() throws {
        func device(on disk: MemoryFileSystem, _ machine: String, seed: UInt64) throws -> TestDevice
        {
            try TestDevice(
                "a", on: disk, environment: TestClock().environment(seed: seed), machine: machine)
        }
        let older = try device(on: MemoryFileSystem(), "aaaaaaaa", seed: 4)
        try older.projects.append(Project("first"))
        try older.sync()
        // A file system that is made of an image has one time for all files that were in it.
        let disk = MemoryFileSystem(older.disk.image)
        let first = try device(on: disk, "aaaaaaaa", seed: 1)
        try first.sync()
        let original = try device(on: MemoryFileSystem(disk.image), "aaaaaaaa", seed: 2)
        let copy = try device(on: MemoryFileSystem(disk.image), "bbbbbbbb", seed: 3)
        try original.projects.append(Project("of the original"))
        try copy.projects.append(Project("of the copy"))
        try settle([original, copy], Carrier(disk: disk))
        let all: Set<String> = ["first", "of the original", "of the copy"]
        #expect(original.titles == all && copy.titles == all)
        #expect(try original.id == first.id && copy.id != first.id)
    }

    /// Each machine has an id for the store, however often the disk moves, and only these.
    @Test func aStoreThatMovesBetweenMachinesHasOneIdOnEach() throws {
        var options = ReplicaOptions()
        options.fileLimit = 4
        let (devices, carrier) = try makeDevices("a", "b", options: options)
        let (a, b) = (devices[0], devices[1])
        var ids: [String: Set<Replica.Device.ID>] = [:]
        var expected: Set<String> = []
        for round in 0..<TestSize.choose(sample: 3, gate: 6, full: 6) {
            for machine in ["aaaaaaaa", "bbbbbbbb", "unknown"] {
                try a.restart(on: machine)
                expected.insert("\(machine) \(round)")
                try a.projects.append(Project("\(machine) \(round)"))
                try a.sync()
                try carrier.carry(from: a, to: b)
                try b.sync()
                ids[machine, default: []].insert(try a.id)
            }
        }
        #expect(a.titles == expected && b.titles == expected)
        #expect(ids.values.map(\.count) == [1, 1, 1] && b.replica.devices.count == 4)
        // Each of the three still joins its files to fewer ones.
        let folders = Dictionary(grouping: try carrier.files(from: "a")) { $0.prefix(2) }
        for (folder, files) in folders where folder.first == "replicas" {
            #expect(files.count < options.fileLimit)
        }
    }

    /// The process dies at each call of the first sync on the other machine, and of the one after the return.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func whoDiesWhileTheStoreMovesLosesNothing(_ returns: Bool)
        throws
    {
        var sweep = Sweep(for: returns)
        let calls = sweep.numbers(below: 450, step: 30)
        let deaths = try calls.prefix { try dies(at: $0, returns, "\(sweep)") }
        #expect(!deaths.isEmpty, "\(sweep)")
    }

    /// Whether the process died at that call.
    private func dies(at last: Int, _ returns: Bool, _ seed: String) throws -> Bool {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("first"))
        try settle(devices, carrier)
        if returns {
            try a.restart(on: "bbbbbbbb")
            try settle(devices, carrier)
        }
        try a.projects.append(Project("second"))
        try b.projects.append(Project("of b"))
        try b.sync()
        try carrier.exchange(devices)
        do {
            try a.restart(on: returns ? "aaaaaaaa" : "bbbbbbbb") { call, _ in
                call >= last ? .killed : .works
            }
            try a.sync()
        } catch let error where a.process.isDead {
            _ = error
        }
        let isDead = a.process.isDead
        try a.restart()
        try a.projects.load()
        try a.projects.append(Project("third"))
        try settle(devices, carrier)
        for device in devices {
            #expect(
                device.titles == ["first", "second", "of b", "third"], "call \(last), \(seed)")
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0, "call \(last), \(seed)")
        return isDead
    }
}
