import DirectoryTestSupport
import Directory
import Foundation
import TestSupport
import Testing

/// Encoders and decoders of the options that do not fit each other, and dates.
struct CoderPairTests {
    struct Visit: Codable, Identifiable, Equatable, Sendable {
        var id: Int
        var first: Date?
    }

    struct Moment: Codable, Identifiable, Sendable {
        var id: Date
    }

    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var isoEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    private var isoDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    private func visits(_ options: DirectoryOptions) throws -> Directory<Visit> {
        try Directory(at: sandbox.url, index: "visits.json", options: options)
    }

    @Test func itemThatTheDecoderCannotReadIsNotAcknowledged() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { _, encoder in
            var container = encoder.singleValueContainer()
            try container.encode("today")
        }
        let pairs = [
            DirectoryOptions(encoder: encoder), .init(decoder: isoDecoder),
            .init(encoder: encoder, decoder: isoDecoder),
        ]
        for options in pairs {
            let visits = try visits(options)
            // Without a date, any pair fits.
            try visits.append(Visit(id: 1))
            let text = try sandbox.text("visits.json")
            let dated = Visit(id: 2, first: .now)
            let errors = [
                expectError(.unencodable) { try visits.append(dated) },
                expectError(.unencodable) { try visits.append(contentsOf: [Visit(id: 3), dated]) },
                expectError(.unencodable) { try visits.update(id: 1) { $0.first = .now } },
            ]
            for error in errors {
                #expect(error?.reason.contains("decoder of the options") == true)
                #expect(error?.underlying is DecodingError)
            }
            #expect(try sandbox.text("visits.json") == text)
            try sandbox.remove("visits.json")
            withExtendedLifetime(visits) {}
        }
    }

    @Test func itemWhoseIDTheDecoderReadsDifferentlyIsNotAcknowledged() throws {
        let moments = try Directory<Moment>(
            at: sandbox.url, index: "moments.json",
            options: .init(encoder: isoEncoder, decoder: isoDecoder))
        try moments.append(Moment(id: Date(timeIntervalSinceReferenceDate: 5)))
        expectError(.unencodable) {
            try moments.append(Moment(id: Date(timeIntervalSinceReferenceDate: 5.5)))
        }
        #expect(moments.count == 1)
    }

    @Test func datesAreTextByOneOption() throws {
        let visits = try visits(.init(dates: .iso8601))
        try visits.append(Visit(id: 1, first: Date(timeIntervalSince1970: 0)))
        try visits.append(Visit(id: 2, first: Date(timeIntervalSince1970: 0.125)))
        #expect(
            try sandbox.text("visits.json") == """
                [
                {"id":1,"first":"1970-01-01T00:00:00Z"},
                {"id":2,"first":"1970-01-01T00:00:00.125Z"}
                ]

                """)
    }

    @Test func optionForDatesCanBeSwitchedBothWays() throws {
        let seconds = [0, 0.1, 700_000_000.123456, -5e9]
        let dates = seconds.map(Date.init(timeIntervalSinceReferenceDate:))
        for (number, date) in dates.enumerated() {
            try visits(number % 2 == 0 ? .init(dates: .iso8601) : .init())
                .append(Visit(id: number, first: date))
        }
        for options in [DirectoryOptions(), .init(dates: .iso8601)] {
            #expect(try visits(options).loaded().map(\.first) == dates)
        }
        // An update writes the form of the options.
        try visits(.init(dates: .iso8601)).write { draft in
            for visit in draft.items { try draft.update(visit) }
        }
        #expect(try sandbox.text("visits.json").contains("\"2000-12-31") == false)
        #expect(try sandbox.text("visits.json").components(separatedBy: "Z\"").count == 5)
        #expect(try visits(.init()).loaded().map(\.first) == dates)
    }

    @Test func foundationReadsDatesOfWholeSeconds() throws {
        let visit = Visit(id: 1, first: Date(timeIntervalSince1970: 1_800_000_000))
        try visits(.init(dates: .iso8601)).append(visit)
        #expect(try isoDecoder.decode([Visit].self, from: sandbox.bytes("visits.json")) == [visit])
    }

    @Test func otherFormOfDatesIsAnotherOption() throws {
        let visits = try visits(.init(dates: .iso8601))
        expectError(.optionsDiffer) { try self.visits(.init()) }
        withExtendedLifetime(visits) {}
    }
}
