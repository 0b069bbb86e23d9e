import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct ProjectTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore()
        }

        @Test(arguments: [
            ["list"], ["list", "--json"], ["tree"], ["verify"], ["verify", "--repair"], ["stats"],
            ["watch"], ["undo"], ["gallery"], ["note", "A", "text"], ["photos", "A"],
            ["remove", "A", "--force"], ["backup", "/dev/null/x"],
        ])
        func aMissingStoreIsSaidToBeMissing(_ arguments: [String]) throws {
            let expected = "directory-demo: no store at \(store.folder.path)/\n"
            for _ in 0..<2 {
                let outcome = try store.start(arguments).outcome()
                #expect(outcome.status == 1)
                #expect(outcome.output == "")
                #expect(outcome.error == expected + "Make one with: directory-demo new NAME\n")
                // The second time for an empty folder.
                try FileManager.default.createDirectory(
                    at: store.folder, withIntermediateDirectories: true)
            }
            #expect(try FileManager.default.subpathsOfDirectory(atPath: store.folder.path) == [])
        }

        @Test func noProjectsAreAnEmptyArray() throws {
            try store.begin(after: [["new", "Apollo"]])
            #expect(try store.succeed("photos", "Apollo", "--json") == "[]\n")
            #expect(try store.succeed("notes", "Apollo", "--json") == "[]\n")
            try store.succeed("remove", "Apollo", "--force")
            for arguments in [["list", "--json"], ["verify", "--json"], ["stats", "--json"]] {
                #expect(try store.succeed(arguments) == "[]\n")
            }
            #expect(try store.succeed("list").contains("There are no projects"))
        }

        @Test func namesAloneAreListedForScripts() throws {
            for name in ["Deep Field", "Apollo"] { try store.succeed("new", name) }
            #expect(try store.succeed("list", "--names") == "Deep Field\nApollo\n")
        }

        @Test func aNewProjectHasAFolder() throws {
            try store.succeed("new", "Deep Field")
            try store.succeed("note", "Deep Field", "Ten days of exposure")
            #expect(
                try store.projects() == [
                    .init(name: "Deep Field", folder: "Project_Deep Field", photos: 0, notes: 1)
                ])
            let files = try store.files()
            #expect(Set(files.keys) == ["projects.json", "Project_Deep Field/notes.json"])
        }

        @Test func aProgramThatClosesLeavesNoHiddenFilesButTheLocks() throws {
            for name in ["Apollo", "Gemini"] {
                try store.succeed("new", name)
                try store.succeed("note", name, "One small step")
                try store.succeed("import", name, Fixtures.path(of: "moon.png"))
            }
            try store.succeed("rename", "Gemini", "Gemini 2")
            try store.succeed("remove", "Apollo", "--force")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
            let hidden = paths.filter { $0.split(separator: "/").contains { $0.hasPrefix(".") } }
            #expect(
                Set(hidden.filter { !$0.hasPrefix(".undo/") && !$0.hasPrefix(".removed") }) == [
                    ".projects.lock", ".undo", "Project_Gemini 2/.notes.lock",
                    "Project_Gemini 2/.photos.lock",
                ])
            #expect(!hidden.contains { $0.hasSuffix(".journal") || $0.contains(".trash") })
        }

        @Test func takenNamesAreRefused() throws {
            try store.succeed("new", "Deep Field")
            #expect(try store.fail("new", "Deep Field").contains("already"))
            try store.succeed("new", "Apollo")
            #expect(try store.fail("rename", "Apollo", "Deep Field").contains("already"))
        }

        @Test func namesThatGiveTheSameFolderNameGetFoldersOfTheirOwn() throws {
            try store.succeed("new", "AC/DC")
            try store.succeed("new", "AC:DC")
            try store.succeed("new", "Apollo")
            try store.succeed("rename", "Apollo", "ac-dc")
            #expect(
                try store.projects().map(\.folder)
                    == ["Project_AC-DC", "Project_AC-DC 2", "Project_ac-dc 3"])
            try store.expectConsistent()
        }

        @Test(arguments: ["", " ", "\n\t"])
        func emptyNamesAreRefused(_ name: String) throws {
            try store.begin(after: [["new", "Apollo"]])
            #expect(try store.fail("new", name).contains("needs a name"))
            #expect(try store.fail("rename", "Apollo", name).contains("needs a name"))
        }

        @Test func foldersOfProjectsStayInsideTheStore() throws {
            try store.succeed("new", "../Apollo/11")
            try store.succeed("new", String(repeating: "x", count: 300))
            #expect(
                try store.projects().map(\.folder)
                    == ["Project_..-Apollo-11", "Project_" + String(repeating: "x", count: 241)])
            try store.expectConsistent()
        }

        @Test func aRenamedFolderKeepsItsContents() throws {
            try store.begin(after: [["new", "Apollo"]])
            try store.succeed("note", "Apollo", "One small step")
            let notes = try store.files()["Project_Apollo/notes.json"]
            try store.succeed("rename", "Apollo", "Apollo 11")
            #expect(try store.files()["Project_Apollo 11/notes.json"] == notes)
            #expect(try store.projects().map(\.name) == ["Apollo 11"])
            try store.succeed("rename", "Apollo 11", "apollo 11")
            #expect(try store.projects().map(\.folder) == ["Project_apollo 11"])
            try store.expectConsistent()
        }

        @Test func aRemovedProjectLeavesNoFiles() throws {
            try store.begin(after: [["new", "Apollo"]])
            try store.succeed("import", "Apollo", Fixtures.folder.path)
            try store.succeed("remove", "Apollo", "--force")
            #expect(try store.files() == ["projects.json": Data("[]\n".utf8)])
            try store.expectConsistent()
        }

        @Test func missingProjectsAreAnError() throws {
            try store.begin(after: [["new", "Apollo"]])
            let commands = [
                ["note", "A", "text"], ["photos", "A"], ["remove", "A", "--force"], ["notes", "A"],
                ["rename", "A", "B"],
                ["export", "A", "/tmp"], ["import", "A", "/tmp"], ["move", "A", "x", "B"],
            ]
            for arguments in commands {
                let outcome = try store.start(arguments).outcome()
                #expect(outcome.status == 1)
                #expect(outcome.error == "directory-demo: there is no project A\n")
            }
        }

        @Test func aDamagedIndexIsNotChanged() throws {
            try store.begin(after: [["new", "Apollo"]])
            let index = store.folder.appending(path: "projects.json")
            try Data("[{\"id\":".utf8).write(to: index)
            #expect(try store.fail("new", "Gemini").contains("projects.json"))
            #expect(try store.fail("list").contains("projects.json"))
        }

        @Test func textFromAStoreCannotControlTheTerminal() throws {
            try store.succeed("new", "A\u{1B}[31mB\nC\u{202E}D")
            let list = try store.succeed("list")
            #expect(list.hasPrefix("A?[31mB?C?D "))
            #expect(try store.projects().map(\.name) == ["A\u{1B}[31mB\nC\u{202E}D"])
            let json = try store.succeed("list", "--json")
            #expect(json.contains("C\\u202eD") && !json.contains("\u{202E}"))
        }
    }
#endif
