import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct PhotoTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [["new", "Apollo"], ["new", "Deep Field"]])
        }

        private func importAll(into project: String) throws {
            let paths = try Fixtures.photos().map(\.path)
            let outcome = try store.start(["import", project] + paths).outcome()
            #expect(outcome.status == 0)
        }

        @Test func everyFileKeepsTheBytesOfItsSource() throws {
            try importAll(into: "Apollo")
            try importAll(into: "Deep Field")
            try store.succeed("remove", "Deep Field", "moon.png")
            try store.succeed("rename", "Apollo", "Apollo 11")
            try store.succeed("move", "Apollo 11", "moon.png", "Deep Field")
            try store.succeed("remove", "Apollo 11", "coffee.jpg")

            #expect(try store.projects().map(\.photos) == [6, 8])
            try store.expectSources("Apollo 11")
            try store.expectSources("Deep Field")
            try store.expectConsistent()
            for (name, data) in try store.files() where name.hasSuffix(".json") {
                let json = try JSONSerialization.jsonObject(with: data)
                #expect(json is [Any], "\(name) is not a plain array")
            }
            let assets = try store.files().keys.filter { $0.contains("/photos/") }
            #expect(assets.count == 14)
        }

        @Test func pathsOfPhotosCanBeAbsolute() throws {
            try importAll(into: "Apollo")
            let json = try store.succeed("photos", "Apollo", "--json", "--absolute")
            let photos: [DemoStore.Photo] = try DemoStore.decode(json)
            for photo in photos {
                #expect(try Data(contentsOf: URL(filePath: photo.path)).count == photo.byteCount)
                #expect(photo.path.hasPrefix(store.folder.path))
            }
            let lines = try store.succeed("photos", "Apollo", "--absolute")
            #expect(photos.allSatisfy { lines.contains("  \($0.path)\n") })
        }

        @Test func ambiguousNamesAreAnErrorThatListsTheIDs() throws {
            let moon = Fixtures.path(of: "moon.png")
            try store.succeed("import", "Apollo", moon, moon)
            let ids = try store.photos(of: "Apollo").map(\.id.uuidString)
            let error = try store.fail("remove", "Apollo", "moon.png")
            #expect(ids.allSatisfy(error.contains))
            try store.succeed("move", "Apollo", ids[0].lowercased(), "Deep Field")
            try store.succeed("remove", "Apollo", "moon.png")
            #expect(try store.photos(of: "Deep Field").map(\.id.uuidString) == [ids[0]])
            #expect(try store.photos(of: "Apollo").isEmpty)
        }

        @Test func invalidMovesAndRemovalsAreRefused() throws {
            try importAll(into: "Apollo")
            #expect(try store.fail("move", "Apollo", "sun.png", "Deep Field").contains("sun.png"))
            #expect(try store.fail("move", "Apollo", "moon.png", "Gemini").contains("Gemini"))
            #expect(try store.fail("move", "Apollo", "moon.png", "Apollo").contains("already"))
            #expect(try store.fail("remove", "Apollo", "sun.png").contains("sun.png"))
        }

        @Test func aMissingFileIsListedVerifiedAndRepaired() throws {
            try importAll(into: "Apollo")
            let lost = try store.photos(of: "Apollo")[3]
            let file = store.folder.appending(path: lost.path)
            let stray = file.deletingLastPathComponent().appending(path: "stray.jpg")
            try FileManager.default.moveItem(at: file, to: stray)
            #expect(try store.photos(of: "Apollo")[3].path == lost.path)

            let outcome = try store.run("verify", "--json")
            #expect(outcome.status == 1)
            #expect(outcome.error == "directory-demo: verify found 2 problems\n")
            let findings: [DemoStore.Finding] = try DemoStore.decode(outcome.output)
            #expect(Set(findings.map(\.kind)) == ["missingAsset", "orphanAsset"])
            #expect(Set(findings.map(\.path)) == [file.path, stray.path])

            #expect(try store.succeed("verify", "--repair").contains("set aside"))
            try store.expectConsistent()
            #expect(try store.photos(of: "Apollo").count == 8)
            let bytes = try store.files().values
            #expect(try bytes.contains(Fixtures.data(named: lost.name)))
        }

        @Test func repairsArePrintedAsJSON() throws {
            func repair() throws -> DemoStore.Repairs {
                try DemoStore.decode(store.succeed("verify", "--repair", "--json"))
            }
            try importAll(into: "Apollo")
            let lost = store.folder.appending(path: try store.photos(of: "Apollo")[3].path)
            let stray = lost.deletingLastPathComponent().appending(path: "stray.jpg")
            try FileManager.default.moveItem(at: lost, to: stray)

            let record = try repair()
            #expect(Set(record.repairs.map(\.finding.path)) == [lost.path, stray.path])
            #expect(record.repairs.contains { $0.action.contains("set aside") })
            #expect(record.findings.isEmpty)
            #expect(try repair().repairs.isEmpty)
        }
    }
#endif
