import Directory
import DirectoryReplicas
import Foundation
import Testing

/// Removals that wait, and everything else that goes on meanwhile.
@Suite struct HeldTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let projects = (0..<9).map { Project("P\($0)") }

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        var options = ReplicaOptions()
        // The local state is also written as a whole.
        options.localFileLimit = 0
        options.removalLimit = 5
        (devices, carrier) = try makeDevices("a", "b", options: options)
        try a.projects.append(contentsOf: projects)
        for project in projects.prefix(3) {
            try a.notes(project.id).append(Note(text: "of \(project.title)"))
        }
        try settle(devices, carrier)
    }

    /// Removes all projects but the last one on `a`, which waits for a person.
    private func removeMost() throws {
        try a.projects.remove(ids: projects.dropLast().map(\.id))
        #expect(try a.sync().held == 11)
    }

    private func release() throws {
        guard case .held(let held) = a.replica.status else {
            Issue.record("\(a.replica.status)")
            return
        }
        try a.replica.release(held)
    }

    private func expect(_ titles: Set<String>) {
        for device in devices { #expect(device.titles == titles, "on \(device.name)") }
    }

    @Test(arguments: [false, true]) func everythingElseGoesOn(restarts: Bool) throws {
        try removeMost()
        if restarts { try a.restart() }
        try a.projects.append(Project("of a"))
        try b.projects.append(Project("of b"))
        try b.projects.update(id: projects[8].id) { $0.note = "new" }
        try settle(devices, carrier)
        #expect(a.titles == ["P8", "of a", "of b"])
        #expect(b.titles == Set(projects.map(\.title)).union(["of a", "of b"]))
        #expect(a.projects.items[id: projects[8].id]?.note == "new")
        if restarts { try a.restart() }
        #expect(try a.sync().held == 11 && a.replica.devices.count == 2)
        // So do other removals.
        try a.projects.remove(id: projects[8].id)
        try settle(devices, carrier)
        #expect(b.projects.items[id: projects[8].id] == nil)
        try a.replica.remove(#require(a.replica.devices.first { !$0.isThis }).id)
        try release()
        try settle(devices, carrier)
        expect(["of a", "of b"])
    }

    @Test(arguments: [false, true]) func whatOthersDoMeanwhileIsNotRemoved(restarts: Bool) throws {
        try removeMost()
        try b.projects.update(id: projects[0].id) { $0.note = "new" }
        try b.notes(projects[1].id).append(Note(text: "added"))
        try settle(devices, carrier)
        if restarts {
            try a.restart()
            try a.sync()
        }
        #expect(a.titles == ["P8"])
        try release()
        try settle(devices, carrier)
        expect(["P0", "P1", "P8"])
        for device in devices {
            #expect(device.projects.items[id: projects[0].id]?.note == "new")
            #expect(try device.notes(projects[0].id).loaded().isEmpty)
            #expect(try device.notes(projects[1].id).loaded().map(\.text) == ["added"])
        }
    }

    @Test func aRemovalThatIsTakenBackIsNoLongerHeld() throws {
        try a.projects.load()
        let before = Array(a.projects.items)
        let notes = try a.notes(projects[0].id).loaded()
        try removeMost()
        try b.projects.update(id: projects[0].id) { $0.title = "new" }
        try settle(devices, carrier)
        try a.projects.append(contentsOf: before.dropLast())
        try a.notes(projects[0].id).append(contentsOf: notes)
        try settle(devices, carrier)
        // The notes of two other projects are not there again.
        #expect(try a.sync().held == 2)
        expect(Set(projects.map(\.title)).subtracting(["P0"]).union(["new"]))
        for device in devices {
            #expect(try device.notes(projects[0].id).loaded().map(\.text) == ["of P0"])
            #expect(device.replica.conflicts.isEmpty)
        }
    }

    @Test func aHeldRemovalThatOthersMakeTooIsDone() throws {
        try removeMost()
        try b.projects.remove(ids: projects.dropLast().map(\.id))
        try b.sync()
        guard case .held(let held) = b.replica.status else {
            Issue.record("\(b.replica.status)")
            return
        }
        try b.replica.release(held)
        try settle(devices, carrier)
        expect(["P8"])
        #expect(a.replica.status == .idle)
    }

    /// It waits for the collection, not for a person.
    @Test func aRemovalIsToldWhenTheCollectionCanBeRead() throws {
        let index = "/a/store/P0/notes.json"
        try carrier.edit(index) { $0 = "#" + $0 }
        try a.restart()
        let note = try #require(try a.notes(projects[1].id).loaded().first)
        try a.notes(projects[1].id).remove(id: note.id)
        // Its note is held, and so it is.
        try a.projects.remove(id: projects[2].id)
        #expect(try a.sync().held == 3)
        try a.projects.append(Project("of a"))
        try settle(devices, carrier)
        #expect(b.titles.isSuperset(of: ["P2", "of a"]) && !a.titles.contains("P2"))
        #expect(try b.notes(projects[1].id).loaded() == [note])
        try carrier.edit(index) { $0.removeFirst() }
        try a.restart()
        try settle(devices, carrier)
        #expect(try b.notes(projects[1].id).loaded().isEmpty)
        #expect(try b.notes(projects[0].id).loaded().count == 1)
        #expect(!b.titles.contains("P2"))
        #expect(a.replica.status == .idle)
    }

    /// A collection that was empty in the copy has no index after it is restored.
    @Test func aRestoringIsNoMassRemoval() throws {
        let (trip, note) = (projects[5], Note(text: "later"))
        let copy = URL(filePath: "/a/copy", directoryHint: .isDirectory)
        try a.projects.copy(to: copy)
        try a.notes(trip.id).append(note)
        try settle(devices, carrier)
        #expect(try b.notes(trip.id).loaded() == [note])
        try a.projects.restore(from: copy)
        try a.restart()
        #expect(try a.sync().held == 0)
        try settle(devices, carrier)
        for device in devices { #expect(try device.notes(trip.id).loaded().isEmpty) }
    }
}
