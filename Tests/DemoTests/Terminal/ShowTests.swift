import Foundation
import Testing

#if os(Linux) || os(macOS)
    /// `show` on terminals that draw pictures, and on others.
    struct ShowTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"],
                [
                    "import", "Apollo", Fixtures.path(of: "moon.png"),
                    Fixtures.path(of: "coffee.jpg"),
                ],
            ])
        }

        private func show(on terminal: [String: String]) throws -> String {
            let environment = ["NO_COLOR": "1"].merging(terminal) { $1 }
            let (text, status) = try store.show("show", "Apollo", environment: environment)
            #expect(status == 0)
            return text.replacing("\r\n", with: "\n")
        }

        private func bytes(_ name: String) throws -> String {
            try Fixtures.data(named: name).base64EncodedString()
        }

        private func expectLines(_ output: String, hint: String = "") throws {
            #expect(output.hasSuffix(hint))
            let lines = output.dropLast(hint.count).split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.wholeMatch(of: /moon.png      29.7 KB  \d{4}-\d\d-\d\d/) != nil)
            #expect(lines.last?.hasPrefix("coffee.jpg    38.6 KB  ") == true)
            #expect(!output.contains("\u{1B}"))
        }

        private static let hint = "See all photos in a browser with: directory-demo gallery\n"

        @Test func kittyDrawsPNGByItsProtocolAndSaysWhereTheOthersAre() throws {
            let output = try show(on: ["TERM": "xterm-kitty"])
            let commands = output.matches(of: /\e_G([^;]*);([^\e]*)\e\\/)
            #expect(commands.allSatisfy { $0.2.count <= 4096 })
            let start = try #require(commands.first?.1)
            #expect(start.contains("a=T") && start.contains("q=2") && start.contains("f=100"))
            #expect(try commands.map { String($0.2) }.joined() == bytes("moon.png"))
            #expect(commands.dropFirst().allSatisfy { !$0.1.contains("a=T") })
            #expect(commands.last?.1 == "m=0")
            try expectLines(output.replacing(/\e_G[^\e]*\e\\\n?/, with: ""), hint: Self.hint)
        }

        @Test func aMissingFileIsALineAndTheOthersAreDrawn() throws {
            let photo = try store.photos(of: "Apollo")[1]
            try FileManager.default.removeItem(at: store.folder.appending(path: photo.path))
            try store.succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            let output = try show(on: ["TERM": "xterm-kitty"])
            #expect(output.matches(of: /a=T/).count == 2)
            #expect(output.contains(/\ncoffee.jpg    38.6 KB  [-0-9]+  the file is missing\n/))
        }

        @Test(arguments: [
            ["TERM_PROGRAM": "iTerm.app"], ["LC_TERMINAL": "iTerm2"], ["TERM_PROGRAM": "WezTerm"],
        ])
        func inlineImagesAreDrawnAsITerm2HasThem(_ terminal: [String: String]) throws {
            let output = try show(on: terminal.merging(["TERM": "xterm-256color"]) { $1 })
            let images = output.matches(of: /\e\]1337;File=([^:]*):([^\x07]*)\x07\n/)
            #expect(try images.map { String($0.2) } == [bytes("moon.png"), bytes("coffee.jpg")])
            #expect(images.allSatisfy { $0.1.contains("inline=1") })
            try expectLines(output.replacing(/\e\][^\x07]*\x07\n/, with: ""))
        }

        @Test func anyOtherTerminalGetsLines() throws {
            try expectLines(show(on: ["TERM": "xterm-256color"]), hint: Self.hint)
            try expectLines(show(on: ["TERM": "dumb", "TERM_PROGRAM": "iTerm.app"]))
            try expectLines(show(on: ["TERM": "xterm-kitty", "TMUX": "x"]), hint: Self.hint)
        }

        @Test func aPipeGetsLines() throws {
            try expectLines(store.succeed("show", "Apollo"))
            let one = try store.succeed("show", "Apollo", "coffee.jpg")
            #expect(one.split(separator: "\n").count == 1)
        }

        @Test func daysAreThoseOfTheTimeZone() throws {
            // They are 25 hours apart, so they never have the same day.
            let days = try ["Pacific/Kiritimati", "Pacific/Pago_Pago"].map { zone in
                let outputs = try [["show", "Apollo"], ["gallery", "--output", "-"]].map {
                    try store.start($0, environment: ["TZ": zone]).outcome().output
                }
                let days = try outputs.map { output in
                    String(try #require(output.firstMatch(of: #/\d{4}-\d\d-\d\d/#)).output)
                }
                #expect(days[0] == days[1])
                return days[0]
            }
            #expect(days[0] > days[1])
        }
    }
#endif
