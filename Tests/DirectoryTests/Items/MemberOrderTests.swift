import DirectoryTestSupport
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Sets and dictionaries have another order in each process; that is no change.
struct MemberOrderTests {
    struct Walk: Codable, Identifiable, Equatable, Sendable {
        var id: Int
        var title: String
        var tags: Set<String>
        var scores: [String: Int]
        var levels: [Set<Int>: Place]
        var route: [String]
    }

    struct Place: Codable, Equatable, Sendable {
        var y: Int
        var names: Set<String>?
        var x: Int
    }

    /// Coders that differ in what they tell about an order.
    static let options: [DirectoryOptions] = {
        let (plain, sorted) = (JSONEncoder(), JSONEncoder())
        sorted.outputFormatting = .sortedKeys
        return [.init(), .init(encoder: plain), .init(encoder: sorted)]
    }()

    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// As another process wrote it; `scores` and `levels` are not in the order of any encoder here.
    static let rest = """
        "tags":["sea","wood","alp","dune","moor"],"scores":{"b":2,"d":4,"a":1,"c":3},\
        "levels":[[3,1,2],{"y":1,"names":["q","p"],"x":2},[5],{"x":4,"y":3}],"route":["b","a"]
        """
    static let index = #"[{"id":1,"title":"One",\#(rest)}]"#

    private func walks(_ options: DirectoryOptions) throws -> Directory<Walk> {
        try sandbox.write(Self.index, to: "walks.json")
        return try Directory<Walk>(at: sandbox.url, index: "walks.json", options: options)
    }

    @Test(arguments: options)
    func changeOfOneMemberKeepsTheBytesOfAllOthers(_ options: DirectoryOptions) throws {
        let walks = try walks(options)
        try walks.update(id: 1) { $0.title = "Two" }
        let text = try sandbox.text("walks.json")
        for member in Self.rest.split(separator: /,(?="(scores|levels|route)")/) {
            #expect(text.contains(member), "\(text)")
        }
        #expect(text.contains(#""title":"Two""#))
        try walks.update(id: 1) { $0.levels[[5]]?.x = 9 }
        let place = try #require(walks.loaded().first?.levels[[1, 2, 3]])
        #expect(place == Place(y: 1, names: ["p", "q"], x: 2))
        #expect(try sandbox.text("walks.json").contains(#""scores":{"b":2,"d":4,"a":1,"c":3}"#))
    }

    @Test(arguments: options)
    func changeOfNothingWritesNothing(_ options: DirectoryOptions) throws {
        let walks = try walks(options)
        try walks.update(id: 1) { _ in }
        try walks.write { draft in try draft.items.forEach { try draft.update($0) } }
        let draft = try #require(walks.edit(1))
        draft.item.title = "Two"
        draft.item.title = "One"
        #expect(!draft.isChanged)
        #expect(try sandbox.text("walks.json") == Self.index)
        #expect(!FileManager.default.fileExists(atPath: sandbox.url(".walks.journal").path))
    }

    @Test func equalSetsAndDictionariesThatWereBuiltAnewWriteNothing() throws {
        let walks = try walks(.init())
        try walks.update(id: 1) { walk in
            var tags = Set<String>(minimumCapacity: 500)
            for tag in walk.tags.sorted() { tags.insert(tag) }
            walk.tags = tags
            var scores = [String: Int](minimumCapacity: 500)
            for (name, score) in walk.scores { scores[name] = score }
            walk.scores = scores
            walk.levels = Dictionary(
                uniqueKeysWithValues: walk.levels.map { (Set($0.sorted()), $1) })
        }
        #expect(try sandbox.text("walks.json") == Self.index)
    }

    @Test(arguments: options)
    func anotherOrderOfAnArrayIsWritten(_ options: DirectoryOptions) throws {
        let walks = try walks(options)
        try walks.update(id: 1) { $0.route.reverse() }
        #expect(try sandbox.text("walks.json").contains(#""route":["a","b"]"#))
    }

    @Test(arguments: options)
    func anotherOrderIsNoConflictOfADraft(_ options: DirectoryOptions) throws {
        let walks = try walks(options)
        try walks.load()
        let draft = try #require(walks.edit(1))
        draft.item.title = "Two"
        let reordered = Self.index.replacing(#""sea","wood""#, with: #""wood","sea""#)
        try sandbox.write(reordered, to: "walks.json")
        try walks.load()
        #expect(draft.conflict == nil)
        try sandbox.write(reordered.replacing(#"["b","a"]"#, with: "[]"), to: "walks.json")
        try walks.load()
        #expect(draft.conflict?.changedMembers == ["route"])
        let error = expectError(.itemChanged) { try draft.save() }
        #expect(error?.reason.contains("changed in route after") == true)
        try sandbox.write(reordered, to: "walks.json")
        try walks.load()
        try draft.save()
        let text = try sandbox.text("walks.json")
        #expect(text.contains(#""title":"Two""#) && text.contains(#""tags":["wood","sea""#))
    }

    /// An item that writes one member in the order of a set, as `encode(to:)` by hand does.
    struct Crate: Codable, Identifiable, Sendable {
        var id: Int
        var tags: Set<String>
        var parts: Set<String>

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(id, forKey: .id)
            try members.encode(tags, forKey: .tags)
            try members.encode(parts.map(\.self), forKey: .parts)
        }
    }

    /// Its order could mean something for another member, so sets need not keep theirs.
    @Test func memberThatIsEncodedByHandLosesNothing() throws {
        let (tags, parts) = (
            ["sea", "wood", "alp", "dune", "moor"], ["p", "q", "r", "s", "t", "u"]
        )
        try sandbox.write(#"[{"id":1,"tags":\#(tags),"parts":\#(parts)}]"#, to: "crates.json")
        let options = DirectoryOptions(encoder: JSONEncoder())
        let crates = try Directory<Crate>(
            at: sandbox.url, index: "crates.json", options: options)
        for number in 1...5 {
            try crates.update(id: 1) { $0.parts.insert("\(number)") }
            try sandbox.copy("crates.json", to: "copy.json")
            let stored = try Directory<Crate>(at: sandbox.url, index: "copy.json", options: options)
                .loaded()[0]
            #expect(stored.tags == Set(tags))
            #expect(stored.parts == Set(parts + (1...number).map(String.init)))
            try sandbox.remove("copy.json")
        }
    }

    /// An item whose names an encoder makes those of other members.
    struct Chain: Codable, Identifiable, Sendable {
        var id: Int
        var title: [String]
        var name: [String]
    }

    private struct Renamed: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        init(_ path: [any CodingKey], _ names: [String: String]) {
            let name = path.last?.stringValue ?? ""
            self.init(stringValue: names[name] ?? name)
        }
    }

    /// An encoder of the app that has no strategy for keys, but renames them nevertheless.
    private final class RenamingEncoder: JSONEncoder, @unchecked Sendable {
        override func encode<Value: Encodable>(_ value: Value) throws -> Data {
            let text = String(decoding: try super.encode(value), as: UTF8.self)
            return Data(
                text.replacing(#""name":"#, with: #""label":"#)
                    .replacing(#""title":"#, with: #""name":"#).utf8)
        }
    }

    @Test(arguments: [false, true])
    func memberWithTheNameOfAnotherOneIsWritten(_ isClassOfTheApp: Bool) throws {
        let encoder = isClassOfTheApp ? RenamingEncoder() : JSONEncoder()
        let decoder = JSONDecoder()
        if !isClassOfTheApp {
            encoder.keyEncodingStrategy = .custom {
                Renamed($0, ["title": "name", "name": "label"])
            }
        }
        decoder.keyDecodingStrategy = .custom { Renamed($0, ["name": "title", "label": "name"]) }
        try sandbox.write(#"[{"id":1,"name":["a","b"],"label":["c"]}]"#, to: "chains.json")
        let chains = try Directory<Chain>(
            at: sandbox.url, index: "chains.json",
            options: .init(encoder: encoder, decoder: decoder))
        try chains.update(id: 1) { $0.title.reverse() }
        #expect(try chains.loaded().first?.title == ["b", "a"])
        #expect(try sandbox.text("chains.json").contains(#"["b","a"]"#))
    }

    /// What did not change in them keeps its bytes.
    @Test func changedSetsAndDictionariesAreWrittenInOneOrder() throws {
        let walks = try walks(.init())
        try walks.update(id: 1) { walk in
            walk.tags.insert("bog")
            walk.scores["e"] = 5
            walk.levels[[4]] = Place(y: 0, names: nil, x: 0)
        }
        #expect(
            try sandbox.text("walks.json") == """
                [
                {"id":1,"title":"One","tags":["alp","bog","dune","moor","sea","wood"],\
                "scores":{"a":1,"b":2,"c":3,"d":4,"e":5},\
                "levels":[[3,1,2],{"y":1,"names":["q","p"],"x":2},[4],{"y":0,"x":0},[5],{"x":4,"y":3}],\
                "route":["b","a"]}
                ]

                """)
    }
}
