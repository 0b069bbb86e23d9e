import Foundation
import Testing

#if os(Linux) || os(macOS)
    @Suite struct ProjectTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore()
        }

        @Test func aMissingStoreIsEmpty() throws {
            #expect(try store.projects().isEmpty)
            try store.succeed("tree")
            #expect(!FileManager.default.fileExists(atPath: store.folder.path))
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
                try store.succeed("import", name, #filePath)
            }
            try store.succeed("rename", "Gemini", "Gemini 2")
            try store.succeed("remove", "Apollo")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
            let hidden = paths.filter { $0.split(separator: "/").contains { $0.hasPrefix(".") } }
            #expect(
                Set(hidden) == [
                    ".projects.lock", "Project_Gemini 2/.notes.lock",
                    "Project_Gemini 2/.photos.lock",
                ])
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
            try store.succeed("new", "Apollo")
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
            try store.succeed("new", "Apollo")
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
            try store.succeed("new", "Apollo")
            try store.succeed("import", "Apollo", Fixtures.folder.path)
            try store.succeed("remove", "Apollo")
            #expect(try store.files() == ["projects.json": Data("[]\n".utf8)])
            try store.expectConsistent()
        }

        @Test func missingProjectsAreAnError() throws {
            let commands = [
                ["note", "A", "text"], ["photos", "A"], ["remove", "A"], ["rename", "A", "B"],
                ["export", "A", "/tmp"], ["import", "A", "/tmp"], ["move", "A", "x", "B"],
            ]
            for arguments in commands {
                let outcome = try store.start(arguments).outcome()
                #expect(outcome.status == 1)
                #expect(outcome.error == "directory-demo: there is no project A\n")
            }
        }

        @Test func aDamagedIndexIsNotChanged() throws {
            try store.succeed("new", "Apollo")
            let index = store.folder.appending(path: "projects.json")
            try Data("[{\"id\":".utf8).write(to: index)
            #expect(try store.fail("new", "Gemini").contains("projects.json"))
            #expect(try store.fail("list").contains("projects.json"))
        }

        @Test func textFromAStoreCannotControlTheTerminal() throws {
            try store.succeed("new", "A\u{1B}[31mB\nC")
            let list = try store.succeed("list")
            #expect(list.hasPrefix("A?[31mB?C "))
            #expect(try store.projects().map(\.name) == ["A\u{1B}[31mB\nC"])
        }
    }
#endif
