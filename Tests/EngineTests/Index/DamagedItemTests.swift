import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct DamagedItemTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    static let damaged = #"{"id" : 9, "title": null, "n": 1.50e+3, "u": "\u0041\/" }"#
    static let withoutID = #"{"title":"No id"}"#

    /// Opens an index with `lines`.
    private func notes(_ lines: [String], _ options: DirectoryOptions = .init()) throws
        -> Directory<Note>
    {
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "notes.json")
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json", options: options)
        try notes.load()
        return notes
    }

    private func lines() throws -> [String] {
        try sandbox.text("notes.json").split(separator: "\n").dropFirst().dropLast()
            .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
    }

    private func line(_ note: Note) -> String { #"{"id":\#(note.id),"title":"\#(note.title)"}"# }

    @Test func damagedLineIsReportedAndTheOthersAreItems() throws {
        let notes = try notes([Self.damaged, line(.eggs), Self.withoutID, line(.milk)])
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(notes.damagedItems.map(\.json) == [Self.damaged, Self.withoutID])
        #expect(notes.damagedItems.map(\.reason).allSatisfy { !$0.isEmpty })
        #expect(try notes.verify().map(\.kind) == [.undecodableItem, .undecodableItem])
    }

    /// A newer version of the app, which can read the element, would find two items with one id.
    @Test func idOfADamagedLineIsTaken() throws {
        let notes = try notes([line(.eggs), Self.damaged])
        expectError(.duplicateID) { try notes.append(Note(id: 9, title: "")) }
        expectError(.duplicateID) { try notes.append(contentsOf: [.salt, Note(id: 9, title: "")]) }
        expectError(.duplicateID) { try notes.updateOrAppend(Note(id: 9, title: "")) }
        #expect(try lines() == [line(.eggs), Self.damaged])
        #expect(try notes.migrateDamagedItems { _ in Note(id: 9, title: "") } == 1)
        #expect(notes.items.map(\.id) == [1, 9])
    }

    private struct Numbered: Codable, Identifiable, Sendable {
        var id: Int
        var rank: Int

        enum CodingKeys: String, CodingKey { case id = "number", rank }
    }

    @Test func idOfADamagedLineIsTakenWhateverItsMemberIsCalled() throws {
        try sandbox.write(#"[{"rank":7,"number":1},{"rank":null,"number":2}]"#, to: "list.json")
        let list = try Directory<Numbered>(at: sandbox.url, index: "list.json")
        expectError(.duplicateID) { try list.append(Numbered(id: 2, rank: 0)) }
        try list.append(Numbered(id: 7, rank: 0))
        #expect(list.items.map(\.id) == [1, 7])
    }

    @Test func damagedLineKeepsItsBytesAndPlace() throws {
        let notes = try notes([line(.eggs), Self.damaged, line(.milk)])
        try notes.append(.salt)
        try notes.update(id: 1) { $0.title = "Ham" }
        try notes.insert(Note(id: 4, title: "Tea"), at: 0)
        #expect(
            try lines() == [
                line(Note(id: 4, title: "Tea")), line(Note(id: 1, title: "Ham")), Self.damaged,
                line(.milk), line(.salt),
            ])
    }

    @Test func damagedLinesKeepTheirOrderWhenNeighboursAreRemoved() throws {
        let notes = try notes([line(.eggs), Self.damaged, line(.milk), Self.withoutID, line(.salt)])
        try notes.remove(id: 2)
        #expect(try lines() == [line(.eggs), Self.damaged, Self.withoutID, line(.salt)])
        try notes.remove(id: 1)
        #expect(try lines() == [Self.damaged, Self.withoutID, line(.salt)])
        try notes.append(.eggs)
        #expect(try lines() == [Self.damaged, Self.withoutID, line(.salt), line(.eggs)])
        #expect(notes.damagedItems.map(\.json) == [Self.damaged, Self.withoutID])
    }

    @Test func damagedLineMovesWithTheItemBeforeIt() throws {
        let notes = try notes([line(.eggs), Self.damaged, line(.milk), Self.withoutID])
        try notes.move(fromOffsets: [1], toOffset: 0)
        #expect(try lines() == [line(.milk), Self.withoutID, line(.eggs), Self.damaged])
        try notes.remove(id: 1)
        #expect(try lines() == [line(.milk), Self.withoutID, Self.damaged])
    }

    @Test func secondLineWithAnIDIsReportedAndKept() throws {
        let notes = try notes([line(.eggs), line(Note(id: 1, title: "Ham")), line(.milk)])
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(try notes.verify().map(\.kind) == [.duplicateID])
        try notes.append(.salt)
        #expect(try lines()[1] == line(Note(id: 1, title: "Ham")))
    }

    @Test func unchangedItemKeepsItsBytes() throws {
        let future = #"{ "title":"E\u0067gs","id":1, "tags":[ 1.0,1E2,-0 ],"n":9e9999 }"#
        let notes = try notes([future, line(.milk)])
        try notes.update(id: 2) { $0.title = "Oat milk" }
        try notes.append(.salt)
        try notes.move(fromOffsets: [0], toOffset: 3)
        #expect(try lines() == [line(Note(id: 2, title: "Oat milk")), line(.salt), future])
        #expect(notes[id: 1] == .eggs)
    }

    @Test func indexInAnyLayoutIsAccepted() throws {
        let text = """
             [ {\r
            \t"id" : 1,
              "title" : "Eg \\" { gs\\\\" ,"x": [ ]
              } ,{"id":2,"title":"Milk"}

            ] \n

            """
        try sandbox.write(text, to: "notes.json")
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try notes.append(.salt)
        #expect(
            try lines() == [
                #"{"id":1,"title":"Eg \" { gs\\","x":[]}"#, line(.milk), line(.salt),
            ])
        #expect(notes[id: 1]?.title == #"Eg " { gs\"#)
    }

    @Test func damagedItemsAreAnErrorIfTheOptionsSaySo() throws {
        let text = "[\n\(line(.eggs)),\n\(Self.damaged)\n]\n"
        expectError(.undecodable) {
            try notes([line(.eggs), Self.damaged], .init(damagedItems: .refuse))
        }
        #expect(try sandbox.text("notes.json") == text)
        let refusing = try Directory<OtherNote>(
            at: sandbox.url, index: "notes.json", options: .init(damagedItems: .refuse))
        expectError(.undecodable) { try refusing.append(.rice) }
        #expect(try sandbox.text("notes.json") == text)
    }

    @Test func encoderAndDecoderOfTheOptionsAreUsed() throws {
        let options = DirectoryOptions(encoder: .snakeCase, decoder: .snakeCase)
        let visits = try Directory<Visit>(
            at: sandbox.url, index: "visits.json", options: options)
        let visit = Visit(id: 1, firstSeen: Date(timeIntervalSince1970: 0))
        try visits.append(visit)
        #expect(
            try sandbox.text("visits.json")
                == "[\n{\"first_seen\":\"1970-01-01T00:00:00Z\",\"id\":1}\n]\n")
        let again = try Directory<OtherVisit>(
            at: sandbox.url, index: "visits.json", options: options)
        try again.load()
        #expect(again[id: 1]?.firstSeen == visit.firstSeen)
    }

    struct Visit: Codable, Identifiable, Sendable {
        var id: Int
        var firstSeen: Date
    }

    struct OtherVisit: Codable, Identifiable, Sendable {
        var id: Int
        var firstSeen: Date
    }
}

extension JSONEncoder {
    fileprivate static var snakeCase: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return encoder
    }
}

extension JSONDecoder {
    fileprivate static var snakeCase: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
