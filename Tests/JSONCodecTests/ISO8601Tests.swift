import Foundation
import TestSupport
import Testing

@testable import JSONCodec

struct ISO8601Tests {
    private func text(_ seconds: Double) throws -> String {
        var encoder = LineEncoder(dates: .iso8601)
        try encoder.append(Date(timeIntervalSinceReferenceDate: seconds))
        return String(decoding: encoder.lines.joined(), as: UTF8.self)
    }

    private func read(_ json: String) throws -> Double {
        try LineDecoder.decode(Date.self, from: Array(json.utf8)).timeIntervalSinceReferenceDate
    }

    @Test(arguments: [
        (0, #""2001-01-01T00:00:00Z""#), (0.5, #""2001-01-01T00:00:00.500Z""#),
        (-0.25, #""2000-12-31T23:59:59.750Z""#), (-1, #""2000-12-31T23:59:59Z""#),
        (738_000_000.123456, #""2024-05-21T16:00:00.123456Z""#),
        (-63_145_526_400, #""0000-01-01T00:00:00Z""#),
        (252_423_993_599, #""9999-12-31T23:59:59Z""#),
        (-978_307_200, #""1970-01-01T00:00:00Z""#), (5_097_600, #""2001-03-01T00:00:00Z""#),
        (-26_524_800, #""2000-02-29T00:00:00Z""#),
    ])
    func dateIsText(_ seconds: Double, _ expected: String) throws {
        #expect(try text(seconds) == expected)
        #expect(try read(expected) == seconds)
    }

    @Test func dateThatCannotBeTextIsANumber() throws {
        for seconds in [252_423_993_600, -63_145_526_401, -63_145_526_400.5, 1e300, 1e-9, -1e-300] {
            #expect(try Double(text(seconds)) == seconds)
            #expect(try read(text(seconds)) == seconds)
        }
        var encoder = LineEncoder(dates: .iso8601)
        #expect(throws: EncodingError.self) {
            try encoder.append(Date(timeIntervalSinceReferenceDate: .nan))
        }
    }

    @Test func everyDateIsReadAsItWasWritten() throws {
        var random = SeededGenerator()
        for _ in 0..<TestSize.choose(sample: 1_000, gate: 10_000, full: 10_000) {
            let digits = Double.random(in: -9...9, using: &random)
            let wide = Double.random(in: -6.4e10...2.53e11, using: &random)
            let seconds = [
                wide, wide.rounded(), (wide * 1000).rounded() / 1000, pow(10, digits) - 5,
                .random(in: -1...1, using: &random),
                Date.now.timeIntervalSinceReferenceDate - .random(in: 0...1, using: &random),
            ][Int.random(in: 0..<6, using: &random)]
            #expect(try read(text(seconds)) == seconds, "\(random): \(seconds)")
        }
    }

    /// From 1600 on: before, Foundation may use the Julian calendar.
    @Test func wholeSecondsAreWhatFoundationWrites() throws {
        var random = SeededGenerator()
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
        for _ in 0..<2_000 {
            let seconds = Double.random(in: -1.26e10...2.52e11, using: &random).rounded()
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let theirs = String(decoding: try encoder.encode([date]), as: UTF8.self)
            #expect("[\(try text(seconds))]" == theirs, "\(random)")
            let read = try decoder.decode([Date].self, from: Data("[\(text(seconds))]".utf8))
            #expect(read == [date], "\(random)")
        }
    }

    @Test func fractionsAreWhatFoundationReads() throws {
        var random = SeededGenerator()
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2_000 {
            let seconds = (Double.random(in: 0...2e9, using: &random) * 1000).rounded() / 1000
            let text = try text(seconds)
            guard text.contains(".") else { continue }
            let date = try style.parse(String(text.dropFirst().dropLast()))
            #expect(abs(date.timeIntervalSinceReferenceDate - seconds) < 0.001, "\(random) \(text)")
        }
    }

    @Test(arguments: [
        ("2001-01-01T01:00:00+01:00", 0), ("2000-12-31T19:30:00.5-04:30", 0.5),
        ("2001-01-01t00:00:00.000z", 0), ("2001-01-01T00:00:00+0000", 0),
        ("2000-12-31T23:59:60Z", 0),
        ("2001-01-01T00:00:00.1234567890123456789Z", 0.12345678901234568),
    ])
    func otherFormsOfTheStandardAreRead(_ text: String, _ seconds: Double) throws {
        #expect(try read("\"\(text)\"") == seconds)
    }

    @Test(arguments: [
        "", "2001-01-01", "2001-01-01T00:00:00", "2001-1-01T00:00:00Z", "2001-02-29T00:00:00Z",
        "2001-13-01T00:00:00Z", "2001-01-00T00:00:00Z", "2001-04-31T00:00:00Z",
        "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:61Z",
        "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00Zz", "2001-01-01T00:00:00+24:00",
        "1900-02-29T00:00:00Z", "2001-01-01T00:00:00,5Z", "٢٠٠١-01-01T00:00:00Z",
    ])
    func otherTextIsNotADate(_ text: String) {
        #expect(ours(Date.self, "\"\(text)\"".utf8) == foundations(Date.self, "\"\(text)\"".utf8))
    }

    @Test func datesAreTextAtEveryLevel() throws {
        struct Model: Codable, Equatable {
            var date: Date
            var none: Date?
            var some: Date?
            var list: [Date?]
            var named: [String: Date]
            var inner: [[Date]]
        }
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let model = Model(
            date: date, none: nil, some: date, list: [date, nil], named: ["a": date],
            inner: [[date]])
        var encoder = LineEncoder(dates: .iso8601)
        try encoder.append(model)
        let line = String(decoding: encoder.lines.joined(), as: UTF8.self)
        let text = #""2001-01-01T00:00:00Z""#
        #expect(
            line == #"{"date":\#(text),"some":\#(text),"list":[\#(text),null],"#
                + #""named":{"a":\#(text)},"inner":[[\#(text)]]}"#)
        #expect(try LineDecoder.decode(Model.self, from: Array(line.utf8)) == model)
        let mixed = line.replacing(text, with: "0", maxReplacements: 2)
        #expect(try LineDecoder.decode(Model.self, from: Array(mixed.utf8)) == model)
    }
}
