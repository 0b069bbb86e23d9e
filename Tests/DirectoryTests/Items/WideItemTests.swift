import DirectoryTestSupport
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Items with very many members: work that grows with the square of their number would take very long.
struct WideItemTests {
    /// An item whose members have names that its type does not declare.
    struct Wide: Codable, Identifiable, Sendable {
        var id: Int
        var sets: [String: Set<Int>]

        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Name.self)
            id = try members.decode(Int.self, forKey: Name(stringValue: "id"))
            sets = [:]
            for name in members.allKeys where name.stringValue != "id" {
                sets[name.stringValue] = try members.decode(Set<Int>.self, forKey: name)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Name.self)
            try members.encode(id, forKey: Name(stringValue: "id"))
            for (name, set) in sets.sorted(by: { $0.key < $1.key }) {
                try members.encode(set, forKey: Name(stringValue: name))
            }
        }
    }

    let sandbox: Sandbox
    let count = 4_000

    init() throws { sandbox = try Sandbox() }

    /// The index with one item, which has the same text in each member.
    private func index(_ set: String) -> String {
        let members = (0..<count).map { #""m\#($0)":\#(set)"# }
        return #"[{"id":1,\#(members.joined(separator: ","))}]"#
    }

    private func wides(_ options: DirectoryOptions) throws -> Directory<Wide> {
        try Directory(at: sandbox.url, index: "wides.json", options: options)
    }

    @Test(arguments: Sweep.cases(MemberOrderTests.options, sample: 1))
    func aChangeOfOneMemberKeepsAllOthers(_ options: DirectoryOptions) throws {
        try sandbox.write(index("[7,3,5,1]"), to: "wides.json")
        let wides = try wides(options)
        try wides.update(id: 1) { $0.sets["m7"] = [9] }
        let text = try sandbox.text("wides.json")
        #expect(text.contains(#""m7":[9]"#))
        #expect(text.split(separator: "[7,3,5,1]", omittingEmptySubsequences: false).count == count)
    }

    @Test(arguments: Sweep.cases(MemberOrderTests.options, sample: 1))
    func changesOfAllMembersAreFound(_ options: DirectoryOptions) throws {
        try sandbox.write(index("[1,2]"), to: "wides.json")
        let wides = try wides(options)
        try wides.load()
        let draft = try #require(wides.edit(1))
        draft.item.sets["m7"] = [9]
        try sandbox.write(index("[2,1]"), to: "wides.json")
        try wides.load()
        #expect(draft.conflict == nil)
        try sandbox.write(index("[3]"), to: "wides.json")
        try wides.load()
        #expect(draft.conflict?.changedMembers == (0..<count).map { "m\($0)" })
        try wides.update(id: 1) { $0.sets = $0.sets.mapValues { _ in [4] } }
        #expect(try sandbox.text("wides.json").contains(#""m7":[4]"#))
    }
}
