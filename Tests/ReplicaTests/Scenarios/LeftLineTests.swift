import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// A damaged line that leaves the index.
@Suite struct LeftLineTests {
    /// What becomes of the line.
    enum End: CaseIterable {
        case cutOut, readableAndRemoved
    }

    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
    }

    private func edit(_ index: String, _ change: (inout String) -> Void) throws {
        try b.projects.close()
        try carrier.edit("/b/store/\(index)", change)
        try b.restart()
        try b.projects.load()
    }

    /// Removes the lines with `part` from an index of `b`.
    private func cutOut(_ part: String, of index: String) throws {
        try edit(index) { text in
            let lines = text.split(separator: "\n").dropFirst().dropLast()
                .map { $0.hasSuffix(",") ? $0.dropLast() : $0 }.filter { !$0.contains(part) }
            text = "[\n\(lines.joined(separator: ",\n"))\n]\n"
        }
    }

    @Test(arguments: Sweep.cases(End.allCases, sample: 1), Sweep.cases([false, true], sample: 1))
    func itsItemComesBackFromOthers(_ end: End, _ restarts: Bool) throws {
        try a.projects.append(contentsOf: [Project("Gemini"), apollo, Project("Skylab")])
        try a.notes(apollo.id).append(contentsOf: [Note(text: "one"), Note(text: "two")])
        try settle(devices, carrier)
        try edit("projects.json") {
            $0 = $0.replacing("\"title\":\"Apollo\"", with: "\"title\":5")
        }
        try settle(devices, carrier)
        if restarts { try b.restart() }
        // A repair leaves it, and so it tells the others nothing.
        #expect(try b.projects.repair() == [])
        try settle(devices, carrier)
        #expect(a.projects.count == 3 && b.projects.count == 2)
        switch end {
        case .cutOut:
            try cutOut("\"title\":5", of: "projects.json")
        case .readableAndRemoved:
            try edit("projects.json") {
                $0 = $0.replacing("\"title\":5", with: "\"title\":\"Apollo\"")
            }
            try b.projects.remove(id: apollo.id)
        }
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.title) == ["Gemini", "Apollo", "Skylab"])
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["one", "two"])
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }

    /// Either the line of a note, or that of its container too.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func aNoteComesBackFromOthers(
        _ withContainer: Bool
    ) throws {
        try a.projects.append(apollo)
        try a.notes(apollo.id).append(contentsOf: [Note(text: "one"), Note(text: "two")])
        try settle(devices, carrier)
        try edit("Apollo/notes.json") {
            $0 = $0.replacing("\"text\":\"one\"", with: "\"text\":5")
        }
        try settle(devices, carrier)
        if withContainer {
            try a.projects.append(Project("Gemini"))
            try settle(devices, carrier)
            try edit("projects.json") {
                $0 = $0.replacing("\"title\":\"Apollo\"", with: "\"title\":5")
            }
            try settle(devices, carrier)
            try cutOut("\"title\":5", of: "projects.json")
        } else {
            try cutOut("\"text\":5", of: "Apollo/notes.json")
        }
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["one", "two"])
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }

    /// A note, whose line may have been damaged too, leaves a collection in which a line has no id any longer.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func aNoteMovesFromBesideALineWithoutID(
        _ wasDamaged: Bool
    )
        throws
    {
        let (gemini, two) = (Project("Gemini"), Note(text: "two"))
        try a.projects.append(contentsOf: [apollo, gemini])
        try a.notes(apollo.id).append(contentsOf: [
            Note(text: "one"), two, Note(text: "three"), Note(text: "four"),
        ])
        try settle(devices, carrier)
        try edit("Apollo/notes.json") { text in
            let lines = text.components(separatedBy: "\n")
            text = lines.map { $0.contains("\"one\"") ? "{\"text\":5}," : $0 }
                .joined(separator: "\n")
            if wasDamaged { text = text.replacing("\"text\":\"two\"", with: "\"text\":6") }
        }
        try settle(devices, carrier)
        try edit("Apollo/notes.json") {
            $0 = $0.replacing("\"text\":6", with: "\"text\":\"two\"")
        }
        try b.notes(gemini.id).append(two)
        try b.notes(apollo.id).remove(id: two.id)
        try settle(devices, carrier)
        #expect(try a.notes(apollo.id).loaded().map(\.text) == ["one", "three", "four"])
        #expect(try b.notes(apollo.id).loaded().map(\.text) == ["three", "four"])
        try b.notes(apollo.id).repair()
        try settle(devices, carrier)
        for device in devices {
            #expect(
                try device.notes(apollo.id).loaded().map(\.text) == ["one", "three", "four"])
            #expect(try device.notes(gemini.id).loaded() == [two])
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }

    /// The line of a note can be read again, and the note moves to a collection that cannot be read now.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func aNoteMovesToAPlaceThatCannotBeRead(
        _ restarts: Bool
    ) throws {
        let (gemini, two) = (Project("Gemini"), Note(text: "two"))
        try a.projects.append(contentsOf: [apollo, gemini])
        try a.notes(apollo.id).append(contentsOf: [Note(text: "one"), two])
        try a.notes(gemini.id).append(Note(text: "three"))
        try settle(devices, carrier)
        try edit("Apollo/notes.json") {
            $0 = $0.replacing("\"text\":\"two\"", with: "\"text\":6")
        }
        try settle(devices, carrier)
        try edit("Apollo/notes.json") {
            $0 = $0.replacing("\"text\":6", with: "\"text\":\"two\"")
        }
        try b.notes(gemini.id).append(two)
        try b.notes(apollo.id).remove(id: two.id)
        try edit("Gemini/notes.json") { $0 = "#" + $0 }
        try settle(devices, carrier)
        #expect(try a.notes(apollo.id).loaded().map(\.text) == ["one", "two"])
        let folder = try carrier.disk.openFolder(at: "/b/store/Gemini")
        let bytes = try carrier.disk.readAll("notes.json", in: folder) ?? []
        if restarts {
            try edit("Gemini/notes.json") { $0 = String($0.dropFirst()) }
        } else {
            let file = try carrier.disk.openFile("new", in: folder, for: .create(mode: 0o644))
            try carrier.disk.write(Array(bytes.dropFirst()), to: file, at: 0)
            try carrier.disk.rename(
                "new", in: folder, to: "notes.json", in: folder, replacing: true)
        }
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["one"])
            #expect(try device.notes(gemini.id).loaded().map(\.text) == ["three", "two"])
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }
}
