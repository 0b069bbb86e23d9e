import Foundation
import Testing

#if os(Linux) || os(macOS)
    @Suite struct UsageTests {
        @Test(arguments: [
            ["--store", "/tmp"], ["list", "--store"], ["list", "--store="],
            ["nonsense"], ["--nonsense"],
            ["new"], ["new", "A", "B"], ["import", "A"], ["move", "A", "B"], ["list", "A"],
            ["list", "--repair"], ["tree", "--json"], ["remove"], ["new", "-x"],
        ])
        func invalidArgumentsGiveStatus64AndTheUsage(_ arguments: [String]) throws {
            let outcome = try DemoProcess(arguments).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
            #expect(outcome.error.hasPrefix("directory-demo: "))
            #expect(outcome.error.contains("usage: directory-demo"))
        }

        @Test(arguments: [["--help"], ["-h"], ["list", "--help"], ["--help", "import"]])
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
