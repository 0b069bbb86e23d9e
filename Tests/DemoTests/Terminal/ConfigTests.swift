import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// Each test has its own home folder, so that no preferences of the user change.
    struct ConfigTests {
        private let home: TemporaryFolder

        init() throws {
            home = try TemporaryFolder()
        }

        private func start(
            _ arguments: [String], _ environment: [String: String] = [:],
            output: FileHandle? = nil
        ) throws -> DemoProcess {
            let home = [
                "XDG_DATA_HOME": home.url.path, DemoProcess.preferences: home.url.path,
            ]
            return try DemoProcess(
                arguments, environment: home.merging(environment) { $1 }, output: output)
        }

        @discardableResult
        private func succeed(_ arguments: String...) throws -> String {
            let outcome = try start(arguments).outcome()
            #expect(outcome.error == "")
            try #require(outcome.status == 0)
            return outcome.output
        }

        private var suite: URL { home.url.appending(path: "directory-demo.plist") }

        @Test func everyPreferenceIsShownWithItsValues() throws {
            let lines = try succeed("config").split(separator: "\n")
            #expect(
                lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                    "sort order order, name, photos", "colour auto auto, always, never",
                    "project the name of a project, or \"\" for none",
                ])
            #expect(!FileManager.default.fileExists(atPath: suite.path))
        }

        @Test func aPreferenceIsKeptForTheNextProcess() throws {
            #expect(try succeed("config", "sort") == "order\n")
            try succeed("config", "sort", "name")
            #expect(try succeed("config", "sort") == "name\n")
            #expect(try succeed("config").contains("sort     name"))
        }

        /// As in a container that was given another one than the user database has.
        @Test func aPreferenceIsKeptInTheHomeOfTheEnvironment() throws {
            let environment = [DemoProcess.preferences: "", "HOME": home.url.path]
            for operands in [["sort", "name"], ["sort"]] {
                let outcome = try start(["config"] + operands, environment).outcome()
                #expect(outcome.error == "" && outcome.output.contains("name"))
            }
            let file = home.url.appending(path: ".config/directory-demo.plist")
            #expect(FileManager.default.fileExists(atPath: file.path))
        }

        @Test(arguments: [
            (["size"], "there is no preference size, but there are sort, colour, project"),
            (["sort", "date"], "sort cannot be \"date\", but can be order, name, photos"),
            (["colour", ""], "colour cannot be \"\", but can be auto, always, never"),
        ])
        func invalidPreferencesAreRefusedInOneLine(_ operands: [String], _ message: String) throws {
            let outcome = try start(["config"] + operands).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
            #expect(outcome.error == "directory-demo: \(message)\n")
            #expect(!FileManager.default.fileExists(atPath: suite.path))
        }

        @Test func projectsAreListedInThePreferredOrder() throws {
            for name in ["Beta", "Alpha", "Gamma"] { try succeed("new", name) }
            let moon = Fixtures.path(of: "moon.png")
            try succeed("import", "Gamma", moon)
            func names() throws -> [Substring.SubSequence?] {
                try succeed("list").split(separator: "\n").map { $0.split(separator: " ").first }
            }
            #expect(try names() == ["Beta", "Alpha", "Gamma"])
            try succeed("config", "sort", "name")
            #expect(try names() == ["Alpha", "Beta", "Gamma"])
            try succeed("config", "sort", "photos")
            #expect(try names() == ["Gamma", "Beta", "Alpha"])
            #expect(try succeed("list", "--json").contains(/Gamma[^}]*}[^}]*Beta/))
        }

        @Test(arguments: [
            ("auto", [:], true, true), ("auto", [:], false, false),
            ("always", [:], false, true), ("always", ["NO_COLOR": "1"], true, false),
            ("always", ["TERM": "dumb"], true, true), ("never", [:], true, false),
        ])
        func colourIsAsPreferredUnlessNoColorForbidsIt(
            _ colour: String, _ environment: [String: String], onTerminal: Bool, hasColour: Bool
        ) throws {
            try succeed("config", "colour", colour)
            let environment = ["TERM": "xterm"].merging(environment) { $1 }
            let output: String
            if onTerminal {
                let terminal = try PseudoTerminal()
                output = try terminal.output(
                    of: start(["config"], environment, output: terminal.slave))
            } else {
                output = try start(["config"], environment).outcome().output
            }
            #expect(output.contains(colour))
            #expect(output.contains("\u{1B}[") == hasColour)
        }

        @Test func photosShowsTheLastProject() throws {
            try succeed("new", "Mercury")
            try succeed("config", "project", "")
            let none = try start(["photos"]).outcome()
            #expect(none.status == 1)
            #expect(none.error == "directory-demo: no project was used before; give a NAME\n")

            try succeed("new", "Apollo")
            #expect(try succeed("photos") == "Apollo has no photos\n")
            try succeed("new", "Deep Field")
            #expect(try succeed("config", "project") == "Deep Field\n")
            try succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            #expect(try succeed("photos").hasPrefix("moon.png"))
            try succeed("rename", "Apollo", "Apollo 11")
            #expect(try succeed("photos").hasPrefix("moon.png"))
            try succeed("remove", "Deep Field", "--force")
            #expect(try succeed("config", "project") == "Apollo 11\n")
            try succeed("new", "Vostok")
            try succeed("undo")
            #expect(try succeed("config", "project") == "\n")
            try succeed("config", "project", "Apollo 11")
            try succeed("remove", "Apollo 11", "--force")
            #expect(try succeed("config", "project") == "\n")
        }

        @Test func onlyAProjectThatExistsCanBePreferred() throws {
            let missing = try start(["config", "project", "Nope"]).outcome()
            #expect(missing.status == 1)
            #expect(missing.error.contains("no store at "))
            try succeed("new", "Apollo")
            try succeed("new", "Gemini")
            try succeed("config", "project", "Apollo")
            let typo = try start(["config", "project", "Gemni"]).outcome()
            #expect(typo.status == 1)
            #expect(typo.error == "directory-demo: there is no project Gemni\n")
            #expect(try succeed("config", "project") == "Apollo\n")
        }

        @Test func theProjectsOfOtherStoresAreNotRemembered() throws {
            try succeed("new", "Apollo")
            let store = home.url.appending(path: "other").path
            try succeed("new", "Gemini", "--store", store)
            #expect(try succeed("config", "project") == "Apollo\n")
            #expect(try start(["photos", "--store", store]).outcome().status == 1)
            try succeed("config", "project", "")
            #expect(try succeed("config", "project") == "\n")
        }

        @Test func anUnreadableValueIsReportedAndTheDefaultIsUsed() throws {
            try succeed("new", "Apollo")
            let plist = try PropertyListSerialization.data(
                fromPropertyList: ["sort": "size"], format: .xml, options: 0)
            try plist.write(to: suite)
            let outcome = try start(["list"]).outcome()
            #expect(outcome.status == 0)
            #expect(outcome.output.hasPrefix("Apollo"))
            #expect(outcome.error.hasPrefix("directory-demo: preference \"sort\": "))
            try succeed("config", "sort", "name")
            try succeed("list")
        }

        @Test func aPreferenceThatIsNotSavedIsAnError() throws {
            let environment = [DemoProcess.preferences: "/dev/null"]
            let outcome = try start(["config", "sort", "name"], environment).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("is not saved"))
        }

        @Test func preferencesCanBeSetWhileTheStoreIsDamaged() throws {
            try succeed("new", "Apollo")
            let index = home.url.appending(path: "Directory Demo/projects.json")
            try Data("[{".utf8).write(to: index)
            #expect(try start(["list"]).outcome().status == 1)
            try succeed("config", "sort", "name")
        }
    }
#endif
