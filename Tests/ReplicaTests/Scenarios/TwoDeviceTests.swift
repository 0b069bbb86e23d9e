import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

@Suite struct TwoDeviceTests {
    @Test func itemsOfOneDeviceComeToTheOther() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(contentsOf: [apollo, Project("Gemini")])
        try a.notes(apollo.id).append(Note(text: "Load the film"))
        let photo = try a.photos(apollo.id).insert(Data([1, 2, 3]), name: "moon.jpg")
        #expect(try a.sync().published == 4)
        try carrier.carry(from: a, to: b)
        let report = try b.sync()
        #expect(report.imported == 4 && report.pending == 0)
        #expect(Array(b.projects.items) == Array(a.projects.items))
        #expect(try b.notes(apollo.id).loaded().map(\.text) == ["Load the film"])
        #expect(try b.photos(apollo.id).data(of: photo.id) == Data([1, 2, 3]))
        #expect(try b.projects.verify().isEmpty)
    }

    @Test func nothingIsPublishedWhenNothingChanged() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        try devices[0].projects.append(Project("Apollo"))
        try settle(devices, carrier)
        for device in devices {
            let calls = device.process.log.count
            let report = try device.sync()
            #expect(report.published == 0 && report.imported == 0)
            let writes = device.process.log.dropFirst(calls).filter {
                $0.hasPrefix("write") || $0.hasPrefix("create") || $0.hasPrefix("rename")
            }
            #expect(writes.isEmpty, "\(writes)")
        }
    }

    @Test func differentMembersOfOneItemAreBothKept() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try settle(devices, carrier)
        try a.projects.update(id: apollo.id) { $0.note = "from a" }
        try b.projects.update(id: apollo.id) { $0.title = "from b" }
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects[id: apollo.id]?.note == "from a")
            #expect(device.projects[id: apollo.id]?.title == "from b")
            #expect(device.replica.conflicts.isEmpty)
        }
    }

    @Test func twoValuesOfOneMemberAreAConflictUntilOneIsChosen() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try settle(devices, carrier)
        try a.projects.update(id: apollo.id) { $0.note = "a" }
        try b.projects.update(id: apollo.id) { $0.note = "b" }
        try settle(devices, carrier)
        let shown = a.projects[id: apollo.id]?.note
        #expect(b.projects[id: apollo.id]?.note == shown)
        let conflict = try #require(a.replica.conflicts.first)
        #expect(
            conflict.member == "note" && Set(conflict.values.map(\.json)) == ["\"a\"", "\"b\""])
        #expect(conflict.values.first?.json == shown.map { "\"\($0)\"" })
        let other = try #require(conflict.values.last)
        try a.replica.resolve(conflict, keeping: other)
        try settle(devices, carrier)
        for device in devices {
            #expect(device.replica.conflicts.isEmpty)
            #expect(device.projects[id: apollo.id]?.note.map { "\"\($0)\"" } == other.json)
        }
    }

    @Test func anEditElsewhereKeepsARemovedItem() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let (apollo, gemini) = (Project("Apollo"), Project("Gemini"))
        try a.projects.append(contentsOf: [apollo, gemini])
        try settle(devices, carrier)
        try a.projects.remove(ids: [apollo.id, gemini.id])
        try b.projects.update(id: apollo.id) { $0.count = 7 }
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.id) == [apollo.id])
            #expect(device.projects[id: apollo.id]?.title == "Apollo")
        }
    }

    @Test func aContainerComesBackWithWhatWasAddedInIt() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try a.notes(apollo.id).append(Note(text: "old"))
        try settle(devices, carrier)
        try a.projects.remove(id: apollo.id)
        try b.photos(apollo.id).insert(Data([9]), name: "new.jpg")
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.title) == ["Apollo"])
            #expect(try device.photos(apollo.id).loaded().map(\.name) == ["new.jpg"])
            #expect(try device.notes(apollo.id).loaded().isEmpty)
            #expect(try device.projects.verify().isEmpty)
        }
    }

    /// It is told as a whole again, also what it has not any longer.
    @Test func anItemThatComesBackLacksWhatItsUserHasRemoved() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        var apollo = Project("Apollo")
        apollo.note = "to be removed"
        try a.projects.append(apollo)
        try settle(devices, carrier)
        try b.projects.remove(id: apollo.id)
        try a.projects.update(id: apollo.id) { project in
            project.title = "Apollo 11"
            project.note = nil
        }
        // The removal is known before the change is published.
        try b.sync()
        try carrier.carry(from: b, to: a)
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.title) == ["Apollo 11"])
            #expect(device.projects.items.map(\.note) == [nil])
        }
    }

    /// The device that removes it, or moves it away, hides the container as the others do.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aRemovedContainerGoesWithTheLastItemThatKeptIt(
        _ isMoved: Bool
    ) throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let (apollo, gemini) = (Project("Apollo"), Project("Gemini"))
        try a.projects.append(contentsOf: [apollo, gemini])
        try settle(devices, carrier)
        try a.projects.remove(id: apollo.id)
        let note = Note(text: "It keeps the project")
        try b.notes(apollo.id).append(note)
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.count == 2) }
        try a.projects.write { draft in
            try draft.write(.notes, of: apollo.id) { try $0.remove(id: note.id) }
            if isMoved { try draft.write(.notes, of: gemini.id) { try $0.append(note) } }
        }
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.title) == ["Gemini"])
            #expect(try device.notes(gemini.id).loaded().count == (isMoved ? 1 : 0))
            #expect(try device.projects.verify().isEmpty)
        }
    }

    @Test func ordersConverge() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let items = (0..<6).map { Project("P\($0)") }
        try a.projects.append(contentsOf: items)
        try settle(devices, carrier)
        try a.projects.move(fromOffsets: [5], toOffset: 0)
        try b.projects.insert(Project("new"), at: 3)
        try b.projects.remove(id: items[1].id)
        try settle(devices, carrier)
        #expect(a.projects.items.map(\.title) == ["P5", "P0", "P2", "new", "P3", "P4"])
        #expect(b.projects.items.map(\.title) == a.projects.items.map(\.title))
    }

    @Test func twoContainersWithOneFolderNameAreBothShown() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let (one, two) = (Project("Trip"), Project("trip"))
        try a.projects.append(one)
        try b.projects.append(two)
        try a.notes(one.id).append(Note(text: "of a"))
        try b.notes(two.id).append(Note(text: "of b"))
        try settle(devices, carrier)
        let names = a.projects.items.map(\.folderName)
        #expect(Set(names.map { $0.lowercased() }) == ["trip", "trip 2"])
        #expect(b.projects.items.map(\.folderName) == names)
        #expect(try b.notes(one.id).loaded().map(\.text) == ["of a"])
        #expect(try a.notes(two.id).loaded().map(\.text) == ["of b"])
        // The name is free again when the other one goes.
        try a.projects.remove(id: one.id)
        try settle(devices, carrier)
        #expect(a.projects.items.map(\.folderName) == ["trip"])
        #expect(b.projects.items.map(\.folderName) == ["trip"])
        #expect(try b.notes(two.id).loaded().map(\.text) == ["of b"])
    }

    @Test func anItemWithoutItsFileWaits() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try a.notes(apollo.id).append(Note(text: "here"))
        try a.photos(apollo.id).insert(Data([1, 2]), name: "moon.jpg")
        try a.sync()
        try carrier.carry(from: a, to: b)
        try carrier.disk.removeTree("assets", in: carrier.disk.openFolder(at: "/b/shared"))
        #expect(try b.sync().pending == 1)
        #expect(b.replica.pending.map(\.byteCount) == [2])
        #expect(try b.photos(apollo.id).loaded().isEmpty)
        #expect(try b.notes(apollo.id).loaded().count == 1)
        try carrier.carry(from: a, to: b)
        #expect(try b.sync().pending == 0)
        #expect(try b.photos(apollo.id).loaded().map(\.name) == ["moon.jpg"])
    }

    @Test func aReplacedFileComesToTheOther() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        let photo = try a.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        for (device, byte) in [(a, UInt8(2)), (b, UInt8(3))] {
            try device.replaceFile(of: photo.id, in: apollo.id, by: [byte])
        }
        try settle(devices, carrier)
        let data = try a.photos(apollo.id).data(of: photo.id)
        #expect(data == Data([2]) || data == Data([3]))
        #expect(try b.photos(apollo.id).data(of: photo.id) == data)
        for device in devices { #expect(try device.photos(apollo.id).verify().isEmpty) }
    }

    @Test(
        arguments: Sweep.cases(
            [
                "a/b", "%2F", "100%", "\u{301}x", "/", "a\u{301}/\u{301}",
                "d54f2a10-0000-4000-8000-000000000001",
            ], sample: 1))
    func everyTextCanBeAnID(_ id: String) throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let apollo = Project("Apollo")
        try devices[0].projects.append(apollo)
        try devices[0].tags(apollo.id).append(Tag(id: id, color: "red"))
        try settle(devices, carrier)
        try devices[1].tags(apollo.id).update(id: id) { $0.color = "blue" }
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.tags(apollo.id).loaded().map(\.color) == ["blue"])
        }
    }

    @Test func itemsWithTextAsIDsAreOnesOfTheirCollections() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let (one, two) = (Project("One"), Project("Two"))
        try a.projects.append(contentsOf: [one, two])
        try a.tags(one.id).append(Tag(id: "a/b%", color: "red"))
        try a.tags(two.id).append(Tag(id: "a/b%", color: "blue"))
        try settle(devices, carrier)
        #expect(try b.tags(one.id).loaded() == [Tag(id: "a/b%", color: "red")])
        #expect(try b.tags(two.id).loaded() == [Tag(id: "a/b%", color: "blue")])
    }

    @Test func aNoteThatMovesToAnotherContainerIsOneNote() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let (one, two) = (Project("One"), Project("Two"))
        try a.projects.append(contentsOf: [one, two])
        let note = Note(text: "old")
        try a.notes(one.id).append(note)
        try settle(devices, carrier)
        try a.projects.write { draft in
            try draft.write(.notes, of: one.id) { try $0.remove(id: note.id) }
            try draft.write(.notes, of: two.id) { try $0.append(note) }
        }
        try b.notes(one.id).update(id: note.id) { $0.text = "edited" }
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(one.id).loaded().isEmpty)
            #expect(try device.notes(two.id).loaded().map(\.text) == ["edited"])
        }
    }
}

extension Directory {
    /// The items, loaded.
    func loaded() throws -> [Item] {
        try load()
        return Array(items)
    }
}
