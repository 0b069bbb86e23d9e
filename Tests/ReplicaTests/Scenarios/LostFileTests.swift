import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Photos whose files or lines are lost on one device, which is not a removal.
@Suite struct LostFileTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")
    private let photos: [Photo]

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try devices[0].projects.append(apollo)
        var photos: [Photo] = []
        for number in UInt8(1)...4 {
            photos.append(
                try devices[0].photos(apollo.id).insert(Data([5, number]), name: "moon.jpg"))
        }
        self.photos = photos
        try settle(devices, carrier)
    }

    private func bytes(of photo: Photo, on device: TestDevice) throws -> [UInt8]? {
        try carrier.disk.readAll(
            FileName(validating: photo.fileName),
            in: carrier.disk.openFolder(at: "/\(device.name)/store/Apollo/photos"))
    }

    private func removeFile(of photo: Photo, on device: TestDevice) throws {
        try carrier.disk.removeFile(
            FileName(validating: photo.fileName),
            in: carrier.disk.openFolder(at: "/\(device.name)/store/Apollo/photos"))
    }

    private func expectAll(_ count: UInt8 = 4) throws {
        for device in devices {
            #expect(Set(try device.photos(apollo.id).loaded()) == Set(photos.prefix(Int(count))))
            for number in 1...count {
                #expect(try bytes(of: photos[Int(number) - 1], on: device) == [5, number])
            }
            #expect(try device.photos(apollo.id).verify().isEmpty)
            #expect(device.replica.status == .idle && device.replica.pending.isEmpty)
        }
    }

    @Test(arguments: [false, true]) func aMissingFileIsFetchedBySync(restarts: Bool) throws {
        try removeFile(of: photos[1], on: a)
        if restarts { try a.restart() }
        #expect(try a.sync().published == 0)
        try expectAll()
        let again = try a.sync()
        #expect(again.published == 0 && again.imported == 0 && again.pending == 0)
    }

    @Test func aMissingFileWaitsForItsBytes() throws {
        try removeFile(of: photos[1], on: a)
        let shared = try carrier.disk.openFolder(at: "/a/shared")
        try carrier.disk.removeTree("assets", in: shared)
        #expect(try a.sync().pending == 1)
        #expect(a.replica.pending.map(\.fileName) == [photos[1].fileName])
        // Nothing else waits.
        try b.projects.update(id: apollo.id) { $0.note = "new" }
        try b.photos(apollo.id).update(id: photos[1].id) { $0.name = "far side.jpg" }
        try settle(devices, carrier)
        #expect(a.projects.items.first?.note == "new")
        #expect(
            try a.photos(apollo.id).loaded().map(\.name)
                == b.photos(apollo.id).loaded().map(\.name))
        #expect(try bytes(of: photos[1], on: a) == [5, 2])
    }

    @Test(arguments: [false, true]) func whatARepairTookOutComesBack(syncsBefore: Bool) throws {
        for photo in photos.dropFirst() { try removeFile(of: photo, on: a) }
        if syncsBefore {
            let shared = try carrier.disk.openFolder(at: "/a/shared")
            try carrier.disk.removeTree("assets", in: shared)
            try a.sync()
        }
        #expect(try a.photos(apollo.id).repair().count == 3)
        #expect(try a.photos(apollo.id).loaded().count == 1)
        try settle(devices, carrier)
        try expectAll()
        // A removal is one again.
        try a.photos(apollo.id).remove(id: photos[3].id)
        try settle(devices, carrier)
        try expectAll(3)
    }

    @Test func aRepairThatSyncFollowsAfterAKillIsNoRemoval() throws {
        for photo in photos.dropFirst() { try removeFile(of: photo, on: a) }
        try a.photos(apollo.id).repair()
        try a.syncUntilCommit()
        try settle(devices, carrier)
        try expectAll()
    }

    /// Starts a process of `a` that does something before its first call that begins so; the result says whether it has.
    private func restart(
        beforeCall prefix: String, _ body: @escaping @Sendable () throws -> Void
    ) throws -> @Sendable () -> Bool {
        let isDone = Mutex(false)
        try a.restart { _, line in
            let isFirst = isDone.withLock { isDone in
                defer { isDone = isDone || line.hasPrefix(prefix) }
                return !isDone && line.hasPrefix(prefix)
            }
            if isFirst { #expect(throws: Never.self) { try body() } }
            return .works
        }
        return { isDone.withLock { $0 } }
    }

    /// Another process replaces it after the first comparison of a sync, and before the second one.
    @Test func aFileThatIsReplacedIsNotMissing() throws {
        let other = try TestDevice("a", on: a.disk).projects
        let isDone = try restart(beforeCall: "list /a/shared/replicas") { [apollo, photos] in
            try other.child(.photos, of: apollo.id).replaceFile(of: photos[0].id, by: [6])
        }
        #expect(try a.sync().published == 1)
        #expect(isDone())
        try settle(devices, carrier)
        let new = try #require(a.photos(apollo.id).loaded().first { $0.id == photos[0].id })
        for device in devices { #expect(try bytes(of: new, on: device) == [6]) }
    }

    /// A person puts it back after the comparison.
    @Test func aMissingFileThatIsThereAgainIsKept() throws {
        try removeFile(of: photos[0], on: a)
        let name = try FileName(validating: photos[0].fileName)
        let folder = try carrier.disk.openFolder(at: "/a/store/Apollo/photos")
        let isDone = try restart(beforeCall: "open /a/shared/assets/") { [disk = a.disk] in
            let file = try disk.openFile(name, in: folder, for: .create(mode: 0o644))
            try disk.write([5, 1], to: file, at: 0)
        }
        try a.sync()
        #expect(isDone())
        try settle(devices, carrier)
        try expectAll()
    }

    /// A conflict of the same photo is resolved in the call that fetches its file.
    @Test func aConflictOfAPhotoWithoutItsFileIsResolved() throws {
        try a.photos(apollo.id).update(id: photos[0].id) { $0.name = "of a" }
        try b.photos(apollo.id).update(id: photos[0].id) { $0.name = "of b" }
        try settle(devices, carrier)
        try removeFile(of: photos[0], on: a)
        let conflict = try #require(a.replica.conflicts.first)
        let value = try #require(conflict.values.last)
        try a.replica.resolve(conflict, keeping: value)
        #expect(try bytes(of: photos[0], on: a) == [5, 1])
        try settle(devices, carrier)
        #expect(a.replica.conflicts.isEmpty)
        #expect(try a.photos(apollo.id).verify().isEmpty)
    }

    /// A repair of long ago says nothing about what is removed later.
    @Test func aRemovalAfterARepairIsARemoval() throws {
        try carrier.edit("/a/store/projects.json") { text in
            text = text.replacing("\n]", with: ",\n5\n]")
        }
        try a.restart()
        try a.projects.repair()
        #expect(a.projects.count == 1)
        try settle(devices, carrier)
        try a.restart()
        try a.projects.append(Project("Gemini"))
        try a.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        for device in devices { #expect(device.titles == ["Gemini"]) }
    }

    @Test func aKillAtAnyCallWhileFilesComeBackLosesNothing() throws {
        for photo in photos.dropFirst() { try removeFile(of: photo, on: a) }
        try a.restart()
        try a.projects.load()
        let first = a.process.calls
        let image = a.disk.image
        try a.sync()
        var sweep = Sweep()
        for call in sweep.numbers(below: a.process.calls - first, step: 18) {
            let device = try TestDevice("a", on: MemoryFileSystem(image)) { number, _ in
                number >= first + call ? .killed : .works
            }
            _ = try? device.sync()
            try device.restart()
            try device.sync()
            let all = try device.photos(apollo.id)
            #expect(try Set(all.loaded()) == Set(photos), "call \(call), \(sweep)")
            for (photo, number) in zip(photos, UInt8(1)...) {
                #expect(try all.data(of: photo.id) == Data([5, number]), "call \(call), \(sweep)")
            }
            #expect(try all.verify().isEmpty, "call \(call), \(sweep)")
        }
    }

    @Test func aProjectThatARepairTookOutComesBackWithItsContents() throws {
        try a.projects.append(Project("Gemini"))
        try settle(devices, carrier)
        // A line that is no object has no id that could be read.
        try carrier.edit("/a/store/projects.json") { text in
            text = text.replacing(#/\{.*Apollo.*\}/#, with: "5")
        }
        try a.restart()
        try a.projects.repair()
        #expect(a.projects.count == 1)
        try settle(devices, carrier)
        #expect(b.projects.count == 2)
        try expectAll()
    }
}
