import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct UsageTests {
        @Test(arguments: [
            ["--store", "/tmp"], ["list", "--store"], ["list", "--store="],
            ["nonsense"], ["--nonsense"],
            ["new"], ["new", "A", "B"], ["import", "A"], ["move", "A", "B"], ["list", "A"],
            ["list", "--repair"], ["tree", "--json"], ["remove"], ["new", "-x"],
            ["config", "--store", "x"], ["completions", "bash", "--store", "x"],
            ["help", "--store", "x"],
        ])
        func invalidArgumentsGiveStatus64AndOneHint(_ arguments: [String]) throws {
            let outcome = try DemoProcess(arguments).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
            #expect(outcome.error.hasPrefix("directory-demo: "))
            let hints = [
                "usage: directory-demo \(arguments[0])", "See: directory-demo help",
                "use -- before",
            ]
            #expect(hints.contains(where: outcome.error.contains))
            #expect(outcome.error.filter { $0 == "\n" }.count == 2)
        }

        @Test(arguments: [["list", "--json", "--names"], ["gallery", "--force", "--output", "-"]])
        func optionsThatExcludeOneAnotherAreAnError(_ arguments: [String]) throws {
            let store = try DemoStore(after: [["new", "Apollo"]])
            let outcome = try store.start(arguments).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
        }

        @Test(arguments: [
            (["improt", "A", "b"], "there is no command improt"),
            (["LIST"], "there is no command LIST"),
            (["help", "remvoe"], "there is no command remvoe"),
            (["list", "--jsn"], "there is no option --jsn"),
            (["list", "--sotre=x"], "there is no option --sotre=x"),
            (["completions", "fihs"], "there are no completions for fihs"),
            (["list", "--store"], "a value is missing: --store DIR"),
        ])
        func whatIsUnknownOrMissingIsNamed(_ arguments: [String], _ message: String) throws {
            let outcome = try DemoProcess(arguments).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.error.hasPrefix("directory-demo: \(message)\n"))
            #expect(outcome.error.filter { $0 == "\n" }.count == 2)
        }

        @Test func aNameThatBeginsWithADashNeedsTwoDashesBefore() throws {
            let outcome = try DemoProcess(["import", "A", "-dash.png"]).outcome()
            #expect(outcome.status == 64)
            #expect(
                outcome.error == """
                    directory-demo: there is no option -dash.png
                    If it is a name or a file, use -- before it.

                    """)
        }

        @Test func theVersionIsOneLine() throws {
            let version = try DemoProcess(["--version"]).outcome()
            #expect(version.status == 0)
            #expect(
                version.output.wholeMatch(of: /directory-demo \d+\.\d+\.\d+, format 1\n/) != nil)
        }

        @Test func everyCommandHasHelpOfItsOwn() throws {
            let overview = try DemoProcess(["help"]).outcome().output
            #expect(try DemoProcess(["--help"]).outcome().output == overview)
            let rows = overview.matches(of: /\n  ([a-z-]+) .*[.]/).map { String($0.1) }
            let names = rows.filter { !$0.hasPrefix("-") }
            #expect(names.count == 30)
            for name in names {
                let help = try DemoProcess(["help", name]).outcome()
                #expect(help.output.hasPrefix("usage: directory-demo \(name)"))
                let hasStore = !["config", "completions", "help"].contains(name)
                #expect(help.output.contains("--store DIR") == hasStore)
                #expect(
                    help.output.split(separator: "\n").allSatisfy { $0.count <= 90 },
                    "\(help.output)")
            }
            #expect(
                try DemoProcess(["import", "--help"]).outcome().output
                    == DemoProcess(["help", "import"]).outcome().output)
        }

        @Test(arguments: [["--help"], ["-h"], ["list", "--help"], ["--help", "import"], ["help"]])
        func helpGoesToStandardOutput(_ arguments: [String]) throws {
            let outcome = try DemoProcess(arguments).outcome()
            #expect(outcome.status == 0)
            #expect(outcome.output.hasPrefix("usage: directory-demo"))
            #expect(outcome.error == "")
        }

        @Test func helpFitsAnEightyColumnTerminal() throws {
            let help = try DemoProcess(["--help"]).outcome().output
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }

        @Test func twoDashesEndTheOptions() throws {
            let store = try DemoStore()
            try store.succeed("new", "--", "--json 2")
            #expect(try store.projects().map(\.name) == ["--json 2"])
        }

        @Test func storeOptionHasTwoFormsAndIsRelativeToTheCurrentFolder() throws {
            let store = try DemoStore()
            for (arguments, name) in [(["--store", "Store"], "A"), (["--store=Store"], "B")] {
                let demo = try DemoProcess(["new", name] + arguments, in: store.parent)
                #expect(try demo.outcome().status == 0)
            }
            #expect(try store.projects().map(\.name) == ["A", "B"])
        }

        #if os(Linux)
            @Test func theDefaultStoreIsInTheDataFolder() throws {
                let store = try DemoStore()
                let environment = [
                    "XDG_DATA_HOME": store.parent.path, DemoProcess.preferences: store.parent.path,
                ]
                let demo = try DemoProcess(["new", "Apollo"], environment: environment)
                #expect(try demo.outcome().status == 0)
                let index = store.parent.appending(path: "Directory Demo/projects.json")
                #expect(try String(contentsOf: index, encoding: .utf8).contains("Apollo"))
            }
        #endif
    }
#endif
