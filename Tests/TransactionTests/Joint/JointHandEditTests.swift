import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Indexes that somebody edits after a process was killed in a write to several collections.
@Suite(.timeLimit(.minutes(30))) struct JointHandEditTests {
    /// What somebody does with an index, which has one item a line.
    enum Edit: CaseIterable { case title, whiteSpace, removedLine }

    /// One of the participants: the home decides, then come the notes of Two and those of One.
    enum Place: String, CaseIterable {
        case home = "boxes.json"
        case one = "One/notes.json"
        case two = "Two/notes.json"
    }

    private let store: JointStore
    private var sandbox: Sandbox { store.sandbox }

    init() throws {
        store = try JointStore()
        let boxes = try store.boxes()
        for id in 1...2 { try boxes.child(.notes, of: id).append(Note(20 + id)) }
        try boxes.close()
    }

    private func kill(_ kill: JointKill) {
        #expect(throws: (any Error).self) {
            try store.boxes(on: kill.process).write { draft in
                try draft.append(Box(id: 9, folderName: "Nine"))
                for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(.salt) } }
            }
        }
    }

    private func edit(_ place: Place, _ edit: Edit) throws {
        var text = try sandbox.text(place.rawValue)
        var lines = text.split(separator: "\n").dropFirst().dropLast()
            .map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
        let isWanted = { (line: Substring) in line.contains(/"id":\d\b/) }
        let position = try #require(lines.firstIndex(where: isWanted))
        switch edit {
        case .title: lines[position] = #"{"edited":true,\#(lines[position].dropFirst())"#
        case .removedLine: lines.remove(at: position)
        case .whiteSpace: break
        }
        text = "[\n\(lines.joined(separator: ",\n"))\n]\n"
        if edit == .whiteSpace { text = text.replacing(":", with: " :\n\t") }
        try sandbox.write(text, to: place.rawValue)
    }

    /// The ids in each index, as other programs see them.
    private func ids() throws -> [Place: [Int]] {
        struct Entry: Decodable { let id: Int }
        return try Dictionary(
            uniqueKeysWithValues: Place.allCases.map { place in
                // A repair sets the folder of a removed line aside.
                let path = place.rawValue
                let found = sandbox.exists(path) ? path : "boxes.recovered/\(path)"
                let entries = try JSONDecoder().decode(
                    [Entry].self, from: sandbox.bytes(found))
                return (place, entries.map(\.id))
            })
    }

    /// Opens one of the collections without the others.
    private func open(_ place: Place) throws {
        let process = ProcessFileSystem(LocalFileSystem())
        defer { process.kill() }
        switch place {
        case .home: try store.boxes(on: process).load()
        case .one: try sandbox.journaledNotes("One", on: process).load()
        case .two: try sandbox.journaledNotes("Two", on: process).load()
        }
    }

    private static let cases = Sweep.cases(
        JointKill.allCases.flatMap { kill in
            Edit.allCases.flatMap { edit in
                Place.allCases.flatMap { place in Place.allCases.map { (kill, edit, place, $0) } }
            }
        }, sample: 2, gate: 60)

    @Test func noEditIsLostWhoeverOpensFirst() throws {
        for (kill, edit, place, first) in Self.cases {
            try JointHandEditTests().check(kill, edit, place, first)
        }
    }

    private func check(_ kill: JointKill, _ edit: Edit, _ place: Place, _ first: Place) throws {
        let side: ConflictSide = Bool.random() ? .index : .journal
        let comment: Comment =
            "\(edit) in \(place.rawValue), \(kill), \(first.rawValue) first, keeping \(side)"
        let old = try ids()
        self.kill(kill)
        try self.edit(place, edit)
        let (edited, text) = try (ids()[place] ?? [], sandbox.text(place.rawValue))
        // The journal of the edited index has its part of the write.
        if first == place {
            expectError(.indexConflict, comment) { try open(first) }
        } else {
            try open(first)
        }
        #expect(try sandbox.text(place.rawValue) == text, comment)
        try resolve(place, keeping: side)
        let isDone = kill != .undecided
        let new: [Place: [Int]] = [.home: [1, 2, 9], .one: [1, 21, 3], .two: [2, 22, 3]]
        var expected = isDone ? new : old
        expected[place] =
            isDone && side == .journal ? edited + [place == .home ? 9 : 3] : edited
        let boxes = try store.boxes()
        try boxes.write { _ in }
        for box in boxes.items { try boxes.child(.notes, of: box.id).write { _ in } }
        for place in Place.allCases { try close(place) }
        #expect(try ids() == expected, comment)
        #expect(
            try sandbox.text(place.rawValue).contains("edited") == (edit == .title), comment)
        try goOn(comment)
    }

    private func resolve(_ place: Place, keeping side: ConflictSide) throws {
        switch place {
        case .home: try store.boxes().resolveConflict(keeping: side)
        case .one: try sandbox.journaledNotes("One").resolveConflict(keeping: side)
        case .two: try sandbox.journaledNotes("Two").resolveConflict(keeping: side)
        }
    }

    /// Writes the journal of the collection into its index, if its folder is still there.
    private func close(_ place: Place) throws {
        guard sandbox.exists(place.rawValue) else { return }
        switch place {
        case .home: try store.boxes().close()
        case .one: try sandbox.journaledNotes("One").close()
        case .two: try sandbox.journaledNotes("Two").close()
        }
    }

    /// Expects that all of it can be changed again.
    private func goOn(_ comment: Comment) throws {
        let boxes = try store.boxes()
        try boxes.write { draft in
            try draft.append(Box(id: 30, folderName: "Thirty"))
            for box in draft.items {
                try draft.write(.notes, of: box.id) { try $0.append(Note(30)) }
            }
        }
        #expect(try boxes.verify().allSatisfy { $0.kind == .unknownFolder }, comment)
        try boxes.close()
    }
}
