import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// A store that comes back to a machine, and does not know all that it wrote there.
@Suite struct MovedStoreTests {
    /// Gives the index and the local state of `a` the bytes of another time.
    private func putBack(_ image: MemoryFileSystem, on disk: MemoryFileSystem) throws {
        let (old, new) = (try image.openFolder(at: "/a/store"), try disk.openFolder(at: "/a/store"))
        for name: FileName in ["projects.json", ".projects.replica"] {
            let file = try disk.openFile(name, in: new, for: .update)
            try disk.truncate(file, to: 0)
            try disk.write(image.readAll(name, in: old) ?? [], to: file, at: 0)
        }
    }

    /// The local state of one machine is set back on the other one, and the shared folder too.
    @Test func aStoreThatWasSetBackOnAnotherMachineTakesANewId() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let a = devices[0]
        try a.projects.append(Project("first"))
        try settle(devices, carrier)
        let old = try a.id
        try a.restart(on: "bbbbbbbb")
        try settle(devices, carrier)
        try a.projects.close()
        let backup = MemoryFileSystem(a.disk.image)

        try a.restart(on: "aaaaaaaa")
        try a.projects.append(Project("second"))
        try settle(devices, carrier)
        #expect(try a.id == old)
        try a.restart(on: "bbbbbbbb")
        try a.sync()
        try a.projects.close()
        try putBack(backup, on: a.disk)
        let folder = try a.disk.openFolder(at: "/a/shared/replicas")
        for name in try a.disk.list(folder) { try a.disk.removeTree(name, in: folder) }

        try a.restart(on: "aaaaaaaa")
        try a.projects.append(Project("third"))
        try a.sync()
        try settle(devices, carrier)
        for device in devices { #expect(device.titles == ["first", "second", "third"]) }
    }

    /// A change of the device that the store was before is gone from the shared folder, before others have read it.
    @Test func aNewIdTellsWhatTheOldOneWrote() throws {
        // Else the store has a copy of the file that it sends again.
        var options = ReplicaOptions()
        options.fileLimit = 2
        let (devices, carrier) = try makeDevices("a", "b", options: options)
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("first"))
        try settle(devices, carrier)
        try a.projects.append(Project("second"))
        try a.sync()
        let folder = try a.disk.openFolder(at: "/a/shared/replicas/\(a.id)")
        for name in try a.disk.list(folder) { try a.disk.removeFile(name, in: folder) }
        try a.restart(on: "bbbbbbbb")
        try a.projects.append(Project("third"))
        try settle(devices, carrier)
        #expect(b.titles == ["first", "second", "third"])
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }

    /// The original has run on, and its newest changes have not arrived.
    @Test func anImageInThePlaceOfItsOriginalTakesANewId() throws {
        func device(_ name: String, on disk: MemoryFileSystem, _ machine: String, seed: UInt64)
            throws -> TestDevice
        {
            try TestDevice(
                name, on: disk, environment: TestClock().environment(seed: seed), machine: machine)
        }
        let older = try device("a", on: MemoryFileSystem(), "aaaaaaaa", seed: 4)
        try older.projects.append(Project("first"))
        try older.sync()
        // A file system that is made of an image has one time for all files that were in it.
        let disk = MemoryFileSystem(older.disk.image)
        let original = try device("a", on: disk, "aaaaaaaa", seed: 1)
        try original.sync()
        let copy = try device("a", on: MemoryFileSystem(disk.image), "bbbbbbbb", seed: 3)
        let b = try device("b", on: MemoryFileSystem(), "cccccccc", seed: 5)
        let all = [original, copy, b]
        let carrier = Carrier(disk: disk)
        try settle(all, carrier)
        try original.projects.append(Project("second"))
        try settle(all, carrier)
        try original.projects.append(Project("third"))
        try original.sync()
        try carrier.carry(from: original, to: b)
        try b.sync()

        try copy.restart(on: "aaaaaaaa")
        try copy.projects.append(Project("fourth"))
        try copy.sync()
        try settle([copy, b], carrier)
        for device in [copy, b] {
            #expect(device.titles == ["first", "second", "third", "fourth"])
        }
    }

    /// Only the id of the machine that was removed is another one; the store knows of the removal before it comes back, or
    /// learns of it there.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aStoreThatComesBackAsARemovedDeviceTakesANewId(
        _ isKnown: Bool
    ) throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("first"))
        try settle(devices, carrier)
        let old = try a.id
        try a.restart(on: "bbbbbbbb")
        try settle(devices, carrier)
        let other = try a.id
        try b.replica.remove(old)
        if isKnown { try settle(devices, carrier) } else { try carrier.exchange(devices) }
        try a.restart(on: "aaaaaaaa")
        try a.projects.append(Project("second"))
        try settle(devices, carrier)
        #expect(try a.id != old && a.id != other)
        for device in devices { #expect(device.titles == ["first", "second"]) }
        try a.restart(on: "bbbbbbbb")
        try settle(devices, carrier)
        #expect(try a.id == other)
        #expect(b.replica.devices.count == 3)
    }

    @Test func aStoreThatLeavesIsWaitedForOnNoMachine() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("first"))
        try settle(devices, carrier)
        try a.restart(on: "bbbbbbbb")
        try settle(devices, carrier)
        try a.replica.leave()
        try carrier.exchange(devices)
        try b.sync()
        #expect(try b.replica.devices.map(\.id) == [b.id])
    }

    /// A store that often moves writes a state as often as one that stays.
    @Test func theFilesOfAStoreThatMovesDoNotGrowForEver() throws {
        var options = ReplicaOptions()
        (options.fileLimit, options.changesLimit) = (2, 8000)
        let (devices, _) = try makeDevices("a", options: options)
        let a = devices[0]
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        for round in 0..<TestSize.choose(sample: 20, gate: 60, full: 60) {
            try a.restart(on: round.isMultiple(of: 2) ? "aaaaaaaa" : "bbbbbbbb")
            try a.projects.update(id: apollo.id) {
                $0.note = "\(round)" + String(repeating: "x", count: 3000)
            }
            try a.sync()
        }
        let folder = try a.disk.openFolder(at: "/a/shared/replicas")
        let sizes = try a.disk.list(folder).flatMap { name in
            let device = try a.disk.openFolder(name, in: folder)
            return try a.disk.list(device).map { try a.disk.status(of: $0, in: device)?.size ?? 0 }
        }
        #expect(sizes.reduce(0, +) < 40_000)
    }
}
