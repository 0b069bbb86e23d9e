import DirectoryTestSupport
import Directory
import Foundation
import TestSupport
import Testing

/// Items that JSON, or a line of the index, cannot hold.
struct UnencodableTests {
    struct Price: Codable, Identifiable, Equatable, Sendable {
        var id: Int
        var amount: Decimal
    }

    struct Heading: Codable, Identifiable, Equatable, Sendable {
        var id: Int
        var inner: [Heading] = []
    }

    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Also with an encoder of the caller: Foundation writes `NaN` for such a price.
    @Test(arguments: [false, true])
    func priceThatIsNotANumberIsAnErrorAndChangesNothing(isCustom: Bool) throws {
        let options = DirectoryOptions(encoder: isCustom ? JSONEncoder() : nil)
        let prices = try Directory<Price>(at: sandbox.url, index: "prices.json", options: options)
        try prices.append(Price(id: 1, amount: 5))
        let bytes = try sandbox.bytes("prices.json")
        expectError(.unencodable) { try prices.append(Price(id: 2, amount: .nan)) }
        expectError(.unencodable) { try prices.update(id: 1) { $0.amount = .nan } }
        #expect(Array(prices.items) == [Price(id: 1, amount: 5)])
        #expect(try sandbox.bytes("prices.json") == bytes)
    }

    /// The reader refuses an index of 65 levels.
    @Test(arguments: [false, true])
    func itemOfTooManyLevelsIsAnErrorAndChangesNothing(isCustom: Bool) throws {
        let options = DirectoryOptions(encoder: isCustom ? JSONEncoder() : nil)
        let headings = try Directory<Heading>(at: sandbox.url, index: "h.json", options: options)
        let last = Heading(id: 1, inner: [])
        // Two levels for each heading but the last one, whose object and array are levels 62 and 63.
        let accepted = (1..<31).reduce(last) { Heading(id: $1 + 1, inner: [$0]) }
        try headings.append(accepted)
        expectError(.unencodable) { try headings.append(Heading(id: 99, inner: [accepted])) }
        try sandbox.write(sandbox.bytes("h.json"), to: "copy/h.json")
        let copy = try Directory<Heading>(at: sandbox.url("copy"), index: "h.json")
        try copy.load()
        #expect(Array(copy.items) == [accepted])
    }

    /// Every thread but the main one has 512 KiB on Apple's systems.
    @Test func itemOf63LevelsIsWrittenAndReadOnASmallStack() throws {
        try withStack(ofKiB: 512) { [sandbox] in
            let deepest = (1..<31).reduce(Heading(id: 1)) { Heading(id: $1 + 1, inner: [$0]) }
            try Directory<Heading>(at: sandbox.url, index: "h.json").append(deepest)
            try sandbox.write(sandbox.bytes("h.json"), to: "copy/h.json")
            let copy = try Directory<Heading>(at: sandbox.url("copy"), index: "h.json")
            try copy.load()
            #expect(Array(copy.items) == [deepest])
        }
    }

    /// The description of an `EncodingError` would have the whole item in it.
    @Test(arguments: [32, 250, 1000])
    func itemOfAnyDepthIsRefusedOnASmallStack(_ depth: Int) throws {
        try withStack(ofKiB: 512) { [sandbox] in
            let deep = (1..<depth).reduce(Heading(id: 1)) { Heading(id: $1 + 1, inner: [$0]) }
            let headings = try Directory<Heading>(at: sandbox.url, index: "h.json")
            let error = expectError(.unencodable) { try headings.append(deep) }
            #expect(error.map { $0.message.count < 1000 } == true)
        }
    }

    @Test func indexWithTooManyLevelsIsDamagedAndKept() throws {
        for depth in [64, 100_000] {
            let opening = String(repeating: "[", count: depth)
            let closing = String(repeating: "]", count: depth)
            let json = "[\n\(opening)\(closing)\n]\n"
            try sandbox.write(json, to: "\(depth)/h.json")
            let headings = try Directory<Heading>(at: sandbox.url("\(depth)"), index: "h.json")
            expectError(.damagedIndex) { try headings.load() }
            expectError(.damagedIndex) { try headings.append(Heading(id: 1)) }
            #expect(try sandbox.text("\(depth)/h.json") == json)
        }
    }
}
