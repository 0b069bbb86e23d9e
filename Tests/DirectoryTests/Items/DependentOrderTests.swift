import DirectoryTestSupport
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Items in which the order of one member means something for another one, so that it is not kept alone.
struct DependentOrderTests {
    /// Writes a dictionary as two arrays, in the order that it has in this process.
    struct Prices: Codable, Identifiable, Sendable {
        var id: Int
        var prices: [String: Int]

        enum CodingKeys: CodingKey { case id, names, amounts }

        init(id: Int, prices: [String: Int]) { (self.id, self.prices) = (id, prices) }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            id = try members.decode(Int.self, forKey: .id)
            let names = try members.decode([String].self, forKey: .names)
            let amounts = try members.decode([Int].self, forKey: .amounts)
            prices = Dictionary(zip(names, amounts)) { first, _ in first }
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(id, forKey: .id)
            try members.encode(Array(prices.keys), forKey: .names)
            try members.encode(Array(prices.values), forKey: .amounts)
        }
    }

    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func prices(_ options: DirectoryOptions) throws -> Directory<Prices> {
        try Directory(at: sandbox.url, index: "prices.json", options: options)
    }

    /// Writes an index with one item, as a process with another order of dictionaries does.
    private func write(_ pairs: [(String, Int)]) throws {
        let names = pairs.map { "\"\($0.0)\"" }.joined(separator: ",")
        let amounts = pairs.map { "\($0.1)" }.joined(separator: ",")
        try sandbox.write(
            #"[{"amounts":[\#(amounts)],"id":1,"names":[\#(names)],"other":1}]"#, to: "prices.json")
    }

    @Test(arguments: MemberOrderTests.options)
    func aChangeOfOneValueIsStored(_ options: DirectoryOptions) throws {
        let pairs = [("tea", 1), ("milk", 2), ("rye", 3), ("oat", 4)]
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            try write(order.map { pairs[$0] })
            let list = try prices(options)
            try list.update(id: 1) { $0.prices["tea"] = 9 }
            try list.close()
            let stored = try prices(options).loaded()[0].prices
            #expect(stored == ["tea": 9, "milk": 2, "rye": 3, "oat": 4], "\(order)")
            #expect(try sandbox.text("prices.json").contains(#""other":1"#))
        }
    }

    /// The values have the same parts, in another order.
    @Test(arguments: MemberOrderTests.options)
    func exchangedValuesAreAConflict(_ options: DirectoryOptions) throws {
        try write([("tea", 1), ("milk", 2), ("rye", 3)])
        let list = try prices(options)
        try list.load()
        let draft = try #require(list.edit(1))
        draft.item.prices["rye"] = 9
        try write([("rye", 3), ("tea", 2), ("milk", 1)])
        try list.load()
        #expect(draft.conflict != nil)
    }
}
