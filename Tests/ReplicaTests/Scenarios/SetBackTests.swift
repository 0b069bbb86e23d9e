import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// A store whose files became those of an earlier day.
@Suite struct SetBackTests {
    /// Two devices with one project, a backup of the first one, and a project that is newer than the backup.
    private func makeDevicesWithBackup() throws -> ([TestDevice], Carrier, Backup) {
        let (devices, carrier) = try makeDevices("a", "b")
        let a = devices[0]
        try a.projects.append(Project("first"))
        try settle(devices, carrier)
        try a.projects.close()
        let backup = try Backup(on: carrier.disk)
        try a.restart()
        try a.projects.append(Project("second"))
        return (devices, carrier, backup)
    }

    /// Only a file of another device says that this one wrote more than it knows: its own files have not come again.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aStoreThatWasSetBackTakesAnotherIdentity(_ leaves: Bool)
        throws
    {
        let (devices, carrier, backup) = try makeDevicesWithBackup()
        let (a, b, disk) = (devices[0], devices[1], carrier.disk)
        try settle(devices, carrier)
        try b.projects.append(Project("of b"))
        try settle(devices, carrier)
        let old = try #require(a.replica.devices.first { $0.isThis }?.id)

        try a.projects.close()
        try backup.putBack()
        let shared = try disk.openFolder(at: "/a/shared/replicas")
        for name in try disk.list(shared) where name.string == "\(old)" {
            try disk.removeTree(name, in: shared)
        }
        try a.restart()
        try a.projects.append(Project("third"))
        if leaves {
            try a.replica.leave()
            try carrier.exchange(devices)
            try b.sync()
            #expect(Set(b.projects.items.map(\.title)) == ["first", "second", "of b", "third"])
            return
        }
        try a.sync()
        #expect(a.replica.devices.first { $0.isThis }?.id != old)
        try settle(devices, carrier)
        for device in devices {
            #expect(
                Set(device.projects.items.map(\.title)) == ["first", "second", "of b", "third"])
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }

    /// An engine has given the folder with the newest segment of this device another name.
    @Test func aSegmentInARenamedFolderSaysThatTheStoreWasSetBack() throws {
        let (devices, carrier, backup) = try makeDevicesWithBackup()
        let (a, b, disk) = (devices[0], devices[1], carrier.disk)
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.sync()
        let old = try #require(a.replica.devices.first { $0.isThis }?.id)

        try a.projects.close()
        try backup.putBack()
        let shared = try disk.openFolder(at: "/a/shared/replicas")
        let (name, other) = try (
            FileName(validating: "\(old)"), FileName(validating: "\(old) 2")
        )
        try disk.rename(name, in: shared, to: other, in: shared, replacing: false)
        try a.restart()
        try a.projects.append(Project("third"))
        try a.sync()
        #expect(a.replica.devices.first { $0.isThis }?.id != old)
        try settle(devices, carrier)
        for device in devices {
            #expect(Set(device.projects.items.map(\.title)) == ["first", "second", "third"])
        }
    }

    /// The app runs meanwhile, and the files keep their inodes and their sizes.
    @Test func aStoreThatIsSetBackInPlaceIsReadAgain() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("old")
        try a.projects.append(apollo)
        try settle(devices, carrier)
        let store = try carrier.disk.openFolder(at: "/a/store")
        func read(_ name: FileName) throws -> [UInt8] {
            try carrier.disk.readAll(name, in: store) ?? []
        }
        try a.projects.checkpoint()
        let (index, state): (FileName, FileName) = ("projects.json", ".projects.replica")
        let backup = try (index: read(index), state: read(state))
        try a.projects.update(id: apollo.id) { $0.title = "new" }
        try a.projects.checkpoint()
        try a.sync()
        let size = try read(state).count
        let padded = backup.state + Array(repeating: 0, count: size - backup.state.count)
        for (name, bytes) in [(index, backup.index), (state, padded)] {
            let file = try carrier.disk.openFile(name, in: store, for: .update)
            try carrier.disk.truncate(file, to: bytes.count)
            try carrier.disk.write(bytes, to: file, at: 0)
        }
        try settle(devices, carrier)
        for device in [a, b] { #expect(device.projects.items.map(\.title) == ["new"]) }
    }
}

/// The files of the device `a` at one time.
private struct Backup {
    private static let names: [FileName] = ["projects.json", ".projects.replica"]
    private let disk: any FileSystem
    private let store: Handle
    private let files: [[UInt8]]

    init(on disk: any FileSystem) throws {
        let store = try disk.openFolder(at: "/a/store")
        files = try Self.names.map { try disk.readAll($0, in: store) ?? [] }
        (self.disk, self.store) = (disk, store)
    }

    /// Gives the files their bytes of that time.
    func putBack() throws {
        for (name, bytes) in zip(Self.names, files) {
            let file = try disk.openFile(name, in: store, for: .update)
            try disk.truncate(file, to: 0)
            try disk.write(bytes, to: file, at: 0)
        }
    }
}
