import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// An import in several commits, because files cannot be opened, whose process is killed between two of them.
@Suite struct PartTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let projects = (0..<4).map { Project("P\($0)") }

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: projects)
        for project in projects { try a.notes(project.id).append(Note(text: "old")) }
        try settle(devices, carrier)
    }

    /// Brings what `a` has changed to `b`, whose process is killed after the first of several commits; before that is
    /// recorded, unless `isRecorded`.
    private func importFirstPart(isRecorded: Bool = true) throws {
        try a.sync()
        try carrier.carry(from: a, to: b)
        let locks = Mutex(0)
        let records = Mutex(-1)
        try b.restart { _, line in
            if line == "lock /b/store/.projects.lock" { locks.withLock { $0 = 0 } }
            if line.hasPrefix("lock "), line.hasSuffix(".notes.lock"),
                locks.withLock({
                    $0 += 1; return $0
                }) == 3
            {
                records.withLock { $0 = max($0, 0) }
                return .fails(.tooManyOpenFiles)
            }
            let isRecord = line.hasPrefix("write ") && line.hasSuffix(".projects.replica")
            if isRecord {
                let number = records.withLock {
                    if $0 >= 0 { $0 += 1 }
                    return $0
                }
                if number == 1, !isRecorded { return .killed }
            }
            let isNext = line == "lock /b/store/.projects.lock" && records.withLock { $0 == 1 }
            return isNext ? .killed : .works
        }
        _ = try? b.sync()
        #expect(b.process.isDead)
        try b.restart()
        try b.projects.load()
    }

    /// The notes of `b` that the first part brought.
    private func new() throws -> [(project: Project, note: Note)] {
        try projects.flatMap { project in
            try b.notes(project.id).loaded().filter { $0.text == "new" }.map { (project, $0) }
        }
    }

    private func texts(_ device: TestDevice) throws -> [[String]] {
        try projects.map { try device.notes($0.id).loaded().map(\.text) }
    }

    @Test func removalOfWhatThePartBroughtIsARemoval() throws {
        for project in projects { try a.notes(project.id).append(Note(text: "new")) }
        try importFirstPart()
        let found = try new()
        #expect((1..<4).contains(found.count))
        for (project, note) in found { try b.notes(project.id).remove(id: note.id) }
        try settle(devices, carrier)
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try texts(device).joined().count { $0 == "new" } == 4 - found.count)
        }
        #expect(try texts(a) == texts(b))
    }

    @Test func editOfWhatThePartBroughtIsNoConflict() throws {
        for project in projects {
            let notes = try a.notes(project.id)
            let note = try #require(notes.loaded().first)
            try notes.update(id: note.id) { $0.text = "new" }
        }
        try importFirstPart()
        let found = try new()
        #expect((1..<4).contains(found.count))
        for (project, note) in found {
            try b.notes(project.id).update(id: note.id) { $0.text = "newer" }
        }
        try settle(devices, carrier)
        for device in devices {
            #expect(device.replica.conflicts.isEmpty)
            #expect(try texts(device).joined().count { $0 == "newer" } == found.count)
        }
        #expect(try texts(a) == texts(b))
    }

    /// The part renames a container to the name of one whose removal is in a later part.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func removedContainerStaysRemoved(
        isRecorded: Bool
    ) throws {
        let sorted = projects.sorted { $0.id.uuidString < $1.id.uuidString }
        try a.projects.remove(ids: sorted.dropFirst().map(\.id))
        try a.projects.update(id: sorted[0].id) { $0.folderName = sorted[3].folderName }
        try importFirstPart(isRecorded: isRecorded)
        #expect((2...3).contains(b.projects.count))
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.projects.loaded().map(\.folderName) == [sorted[3].folderName])
        }
    }

    /// The part renames a container to the name of one that gets another name in a later part.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func renamedContainerKeepsItsNewName(
        isRecorded: Bool
    ) throws {
        let sorted = projects.sorted { $0.id.uuidString < $1.id.uuidString }
        try a.projects.remove(ids: sorted[1...2].map(\.id))
        try a.projects.update(id: sorted[3].id) { $0.folderName = "Other" }
        try a.projects.update(id: sorted[0].id) { $0.folderName = sorted[3].folderName }
        try a.notes(sorted[3].id).append(Note(text: "new"))
        try importFirstPart(isRecorded: isRecorded)
        #expect(try b.sync().published == 0)
        try settle(devices, carrier)
        for device in devices {
            let names = try device.projects.loaded().map(\.folderName)
            #expect(Set(names) == ["Other", sorted[3].folderName])
            #expect(device.replica.conflicts.isEmpty)
        }
    }

    /// The part removes the container, and a later one shows the item in another one.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func itemOutlivesTheContainerThatItHasLeft(isRecorded: Bool)
        throws
    {
        let sorted = projects.sorted { $0.id.uuidString < $1.id.uuidString }
        let moved = try #require(a.notes(sorted[0].id).loaded().first)
        try a.projects.remove(id: sorted[0].id)
        try a.notes(sorted[3].id).append(moved)
        for project in sorted.dropFirst() { try a.notes(project.id).append(Note(text: "new")) }
        try importFirstPart(isRecorded: isRecorded)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(sorted[3].id).loaded().count { $0.id == moved.id } == 1)
            #expect(try device.sync().published == 0)
        }
        #expect(a.projects.items == b.projects.items)
    }
}
