import Directory
import Foundation
import TestSupport
import Testing

@Suite struct DamagedItemTests {
    let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    static let bad = #"{"id" : 9, "title": null, "n": 1.50e+3, "u": "\u0041\/" }"#
    static let worse = #"{"title":"No id"}"#

    /// Opens an index of `lines`.
    private func notes(_ lines: [String], _ options: DirectoryOptions = .init()) throws
        -> Directory<Note>
    {
        try temporary.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "notes.json")
        let notes = try Directory<Note>(
            at: temporary.url, index: "notes.json", options: options)
        try notes.load()
        return notes
    }

    private func lines() throws -> [String] {
        try temporary.text("notes.json").split(separator: "\n").dropFirst().dropLast()
            .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
    }

    private func line(_ note: Note) -> String { #"{"id":\#(note.id),"title":"\#(note.title)"}"# }

    @Test func badRecordAmongGoodOnesIsKeptAndReported() throws {
        let notes = try notes([Self.bad, line(.eggs), Self.worse, line(.milk)])
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(notes.damagedItems.map(\.json) == [Self.bad, Self.worse])
        #expect(notes.damagedItems.map(\.reason).allSatisfy { !$0.isEmpty })
        #expect(try notes.verify().map(\.kind) == [.undecodableItem, .undecodableItem])
    }

    @Test func badRecordKeepsItsBytesAndPlaceThroughChanges() throws {
        let notes = try notes([line(.eggs), Self.bad, line(.milk)])
        try notes.append(.salt)
        try notes.update(id: 1) { $0.title = "Ham" }
        try notes.insert(Note(id: 4, title: "Tea"), at: 0)
        #expect(
            try lines() == [
                line(Note(id: 4, title: "Tea")), line(Note(id: 1, title: "Ham")), Self.bad,
                line(.milk), line(.salt),
            ])
    }

    @Test func badRecordsKeepTheirOrderWhenNeighboursGo() throws {
        let notes = try notes([line(.eggs), Self.bad, line(.milk), Self.worse, line(.salt)])
        try notes.remove(id: 2)
        #expect(try lines() == [line(.eggs), Self.bad, Self.worse, line(.salt)])
        try notes.remove(id: 1)
        #expect(try lines() == [Self.bad, Self.worse, line(.salt)])
        try notes.append(.eggs)
        #expect(try lines() == [Self.bad, Self.worse, line(.salt), line(.eggs)])
        #expect(notes.damagedItems.map(\.json) == [Self.bad, Self.worse])
    }

    @Test func badRecordsMoveWithTheItemBeforeThem() throws {
        let notes = try notes([line(.eggs), Self.bad, line(.milk), Self.worse])
        try notes.move(fromOffsets: [1], toOffset: 0)
        #expect(try lines() == [line(.milk), Self.worse, line(.eggs), Self.bad])
        try notes.remove(id: 1)
        #expect(try lines() == [line(.milk), Self.worse, Self.bad])
    }

    @Test func laterRecordWithATakenIDIsKeptAndReported() throws {
        let notes = try notes([line(.eggs), line(Note(id: 1, title: "Ham")), line(.milk)])
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(try notes.verify().map(\.kind) == [.duplicateID])
        try notes.append(.salt)
        #expect(try lines()[1] == line(Note(id: 1, title: "Ham")))
    }

    @Test func recordsThatNobodyTouchedKeepTheirBytes() throws {
        let future = #"{ "title":"E\u0067gs","id":1, "tags":[ 1.0,1E2,-0 ],"n":9e9999 }"#
        let notes = try notes([future, line(.milk)])
        try notes.update(id: 2) { $0.title = "Oat milk" }
        try notes.append(.salt)
        try notes.move(fromOffsets: [0], toOffset: 3)
        #expect(try lines() == [line(Note(id: 2, title: "Oat milk")), line(.salt), future])
        #expect(notes[id: 1] == .eggs)
    }

    @Test func prettyPrintedAndHandEditedIndexesAreAccepted() throws {
        let text = """
             [ {\r
            \t"id" : 1,
              "title" : "Eg \\" { gs\\\\" ,"x": [ ]
              } ,{"id":2,"title":"Milk"}

            ] \n

            """
        try temporary.write(text, to: "notes.json")
        let notes = try Directory<Note>(at: temporary.url, index: "notes.json")
        try notes.append(.salt)
        #expect(
            try lines() == [
                #"{"id":1,"title":"Eg \" { gs\\","x":[]}"#, line(.milk), line(.salt),
            ])
        #expect(notes[id: 1]?.title == #"Eg " { gs\"#)
    }

    @Test func damagedItemsCanBeRefused() throws {
        let text = "[\n\(line(.eggs)),\n\(Self.bad)\n]\n"
        expectError(.undecodable) {
            try notes([line(.eggs), Self.bad], .init(damagedItems: .refuse))
        }
        #expect(try temporary.text("notes.json") == text)
        let refusing = try Directory<OtherNote>(
            at: temporary.url, index: "notes.json", options: .init(damagedItems: .refuse))
        expectError(.undecodable) { try refusing.append(.rice) }
        #expect(try temporary.text("notes.json") == text)
    }

    @Test func ownEncoderAndDecoderAreUsed() throws {
        let options = DirectoryOptions(encoder: .snakeCase, decoder: .snakeCase)
        let visits = try Directory<Visit>(
            at: temporary.url, index: "visits.json", options: options)
        let visit = Visit(id: 1, firstSeen: Date(timeIntervalSince1970: 0))
        try visits.append(visit)
        #expect(
            try temporary.text("visits.json")
                == "[\n{\"first_seen\":\"1970-01-01T00:00:00Z\",\"id\":1}\n]\n")
        let again = try Directory<OtherVisit>(
            at: temporary.url, index: "visits.json", options: options)
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
