import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct DeletedTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"], ["import", "Apollo", Fixtures.path(of: "moon.png")],
                ["note", "Apollo", "One small step"],
            ])
        }

        private struct Row: Decodable {
            let number: Int, id: String, kind: String, name: String, project: String?
            let byteCount: Int, date: String
        }

        @Test func whatWasRemovedIsShownAndComesBack() throws {
            #expect(try store.succeed("deleted") == "Nothing was removed in the last month\n")
            let before = try store.photos(of: "Apollo").map(\.path)
            try store.succeed("remove", "Apollo", "moon.png")
            try store.succeed("remove-note", "Apollo", "1")
            let rows: [Row] = try DemoStore.decode(store.succeed("deleted", "--json"))
            #expect(rows.map(\.kind) == ["note", "photo"])
            #expect(rows.map(\.name) == ["One small step", "moon.png"])
            #expect(rows.map(\.project) == ["Apollo", "Apollo"])
            #expect(rows[1].byteCount > 20_000 && rows[1].date.hasSuffix("Z"))
            let line = try store.succeed("deleted").split(separator: "\n")[1]
            #expect(line.hasPrefix("2  photo moon.png from Apollo  29.7 KB, "))
            #expect(
                try store.succeed("bring-back", rows[1].id) == "Brought back the photo moon.png\n")
            try store.succeed("bring-back", "1")
            #expect(try store.photos(of: "Apollo").map(\.path) == before)
            #expect(try store.succeed("notes", "Apollo") == "1  One small step\n")
            #expect(try store.fail("bring-back", "1").contains("nothing with the number 1"))
            try store.expectConsistent()
        }

        @Test func whatARemovedProjectHadRemovedComesBackWithIt() throws {
            try store.succeed("remove", "Apollo", "moon.png")
            try store.succeed("remove", "Apollo", "--force")
            #expect(try store.succeed("deleted").hasPrefix("1  project Apollo  "))
            try store.succeed("bring-back", "1")
            try store.succeed("bring-back", "1")
            try store.expectSources("Apollo")
            try store.expectConsistent()
        }
    }
#endif
