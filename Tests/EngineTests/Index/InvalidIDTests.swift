import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import Testing

/// Ids that do not equal themselves.
struct InvalidIDTests {
    struct Measure: Codable, Identifiable, Sendable {
        var id: Double
        var title = ""
    }

    let sandbox: Sandbox
    private let measures: Directory<Measure>

    init() throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        sandbox = try Sandbox()
        measures = try Directory(
            at: sandbox.url, index: "measures.json",
            options: .init(encoder: encoder, decoder: decoder))
    }

    @Test(arguments: [true, false]) func itemWhoseIDDoesNotEqualItselfIsRefused(_ isEmpty: Bool)
        throws
    {
        if !isEmpty { try measures.append(Measure(id: 1)) }
        let (items, tree) = try (measures.items.map(\.id), sandbox.tree())
        let invalid = Measure(id: .nan)
        expectError(.invalidID) { try measures.append(invalid) }
        expectError(.invalidID) { try measures.insert(invalid, at: 0) }
        expectError(.invalidID) { try measures.append(contentsOf: [Measure(id: 2), invalid]) }
        expectError(.itemNotFound) { try measures.update(invalid) }
        expectError(.itemNotFound) { try measures.remove(id: .nan) }
        if !isEmpty { expectError(.duplicateID) { try measures.update(id: 1) { $0.id = .nan } } }
        #expect(measures.items.map(\.id) == items)
        let changed = try sandbox.tree().filter { tree[$0.key] != $0.value }
        #expect(changed.keys.allSatisfy { $0 == ".measures.lock" })
    }

    @Test func elementWhoseIDDoesNotEqualItselfIsDamaged() throws {
        let line = #"{"id":"nan","title":"NaN"}"#
        try sandbox.write("[\n\(line),\n{\"id\":1,\"title\":\"\"}\n]\n", to: "measures.json")
        try measures.load()
        #expect(measures.items.map(\.id) == [1])
        #expect(measures.damagedItems.map(\.json) == [line])
        try measures.append(Measure(id: 2))
        #expect(try sandbox.text("measures.json").contains(line))
        try measures.repair()
        #expect(try measures.verify().isEmpty)
        #expect(measures.items.map(\.id) == [1, 2])
    }
}
