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

    /// One of the participants: the home is the last that commits, and the notes of Two are the first.
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
        }, sample: 2)

    @Test func noEditIsLostWhoeverOpensFirst() throws {
        for (kill, edit, place, first) in Self.cases {
            try JointHandEditTests().check(kill, edit, place, first)
        }
    }

    private func check(_ kill: JointKill, _ edit: Edit, _ place: Place, _ first: Place) throws {
        let comment: Comment = "\(edit) in \(place.rawValue), \(kill), \(first.rawValue) first"
        let old = try ids()
        self.kill(kill)
        try self.edit(place, edit)
        let (edited, text) = try (ids()[place], sandbox.text(place.rawValue))
        try open(first)
        let isEndable = kill == .undecided || edit == .whiteSpace
        var expected = old
        if kill != .undecided {
            expected = [.home: [1, 2, 9], .one: [1, 21, 3], .two: [2, 22, 3]]
        }
        if edit != .whiteSpace { expected[place] = edited }
        #expect(try ids() == expected, comment)
        if edit != .whiteSpace || kill == .undecided {
            #expect(try sandbox.text(place.rawValue) == text, comment)
        }
        if !isEndable { try repair(place, expected, comment) }
        if edit != .removedLine || place != .home {
            #expect(try sandbox.text(place.rawValue).contains("edited") == (edit == .title))
            try store.expectClean(comment)
        }
        try goOn(comment)
    }

    /// Expects that a write which cannot be ended stops writers, but no readers, and repairs it.
    ///
    /// `place` was edited.
    private func repair(_ place: Place, _ expected: [Place: [Int]], _ comment: Comment) throws {
        let written = identities()
        for place in Place.allCases { try open(place) }
        #expect(identities() == written, comment)
        let boxes = try store.boxes()
        try boxes.load()
        #expect(boxes.items.map(\.id) == expected[.home], comment)
        expectError(.unfinishedChange, comment) { try boxes.write { _ in } }
        for (id, other) in [(1, Place.one), (2, .two)] where boxes[id: id] != nil {
            let notes = try boxes.child(.notes, of: id)
            try notes.load()
            #expect(notes.items.map(\.id) == expected[other], comment)
            expectError(.unfinishedChange, comment) { try notes.append(Note(77)) }
        }
        let found = try boxes.verify()
        #expect(found.contains { $0.kind == .leftoverTransaction }, comment)
        #expect(
            try Directory.verify(below: sandbox.url).contains { $0.kind == .leftoverTransaction },
            comment)
        if place != .home {
            // Its pointer is set aside; the list waits for the home.
            let notes = try boxes.child(.notes, of: place == .one ? 1 : 2)
            try notes.repair()
            try notes.write { _ in }
            expectError(.unfinishedChange, comment) { try boxes.write { _ in } }
        }
        try boxes.repair()
        #expect(try ids() == expected, comment)
    }

    /// The identities of the files of all indexes.
    private func identities() -> [FileIdentity?] {
        Place.allCases.map { sandbox.status($0.rawValue)?.identity }
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
