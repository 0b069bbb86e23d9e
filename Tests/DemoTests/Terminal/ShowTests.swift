import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// `show` on terminals that draw pictures, and on others.
    @Suite(.timeLimit(.minutes(30))) struct ShowTests {
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

        private static let attributes = (
            ScriptedTerminal.attributesQuestion, "\u{1B}[?62;4;22c"
        )

        private func show(
            on terminal: ScriptedTerminal, type: String = "xterm-256color",
            project: String = "Apollo"
        ) throws -> String {
            try terminal.output { slave in
                try store.start(
                    ["show", project], input: slave, output: slave,
                    environment: ["TERM": type, "NO_COLOR": "1"])
            }
        }

        /// What is shown once `text` is in it.
        ///
        /// On a busy machine the answer can come too late; then the command is run again.
        private func show(on terminal: ScriptedTerminal, until text: String) throws -> String {
            for _ in 0..<10 {
                let output = try show(on: terminal)
                if output.contains(text) { return output }
            }
            return try show(on: terminal)
        }

        /// What follows the question: the answers that the terminal shows are not part of it.
        private func shown(_ output: String) throws -> String {
            let end = try #require(output.range(of: "\r\u{1B}[K"))
            let question =
                ScriptedTerminal.kittyQuestion + ScriptedTerminal.versionQuestion
                + ScriptedTerminal.attributesQuestion
            #expect(output[..<end.lowerBound] == question)
            return String(output[end.upperBound...]).replacing("\r\n", with: "\n")
        }

        private func bytes(_ name: String) throws -> String {
            try Fixtures.data(named: name).base64EncodedString()
        }

        private func expectLines(_ output: String, hint: String = "") throws {
            let day = /\d{4}-\d\d-\d\d/
            #expect(output.hasSuffix(hint))
            let output = output.dropLast(hint.count)
            let lines = output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(
                lines.first?.wholeMatch(of: /moon.png      29.7 KB  (.*)/)?.1.wholeMatch(of: day)
                    != nil)
            #expect(lines.last?.hasPrefix("coffee.jpg    38.6 KB  ") == true)
            #expect(!output.contains("\u{1B}"))
        }

        private static let hint =
            "See all photos in a browser with: directory-demo gallery\n"

        @Test func kittyDrawsPNGByItsProtocolAndSaysWhereTheOthersAre() throws {
            let terminal = ScriptedTerminal(
                name: "kitty",
                answers: [
                    (ScriptedTerminal.kittyQuestion, "\u{1B}_Gi=31;OK\u{1B}\\"),
                    (ScriptedTerminal.versionQuestion, "\u{1B}P>|kitty(0.35.2)\u{1B}\\"),
                    Self.attributes,
                ])
            let output = try shown(show(on: terminal, until: "a=T"))
            let commands = output.matches(of: /\e_G([^;]*);([^\e]*)\e\\/)
            #expect(commands.allSatisfy { $0.2.count <= 4096 })
            let start = try #require(commands.first?.1)
            #expect(start.contains("a=T") && start.contains("q=2") && start.contains("f=100"))
            #expect(try commands.map { String($0.2) }.joined() == bytes("moon.png"))
            #expect(commands.dropFirst().allSatisfy { !$0.1.contains("a=T") })
            #expect(commands.last?.1 == "m=0")
            try expectLines(output.replacing(/\e_G[^\e]*\e\\\n?/, with: ""), hint: Self.hint)
        }

        /// Shows the project on a terminal that takes pictures by the protocol of kitty.
        private func showInKitty(_ project: String) throws -> String {
            let terminal = ScriptedTerminal(
                name: "kitty",
                answers: [
                    (ScriptedTerminal.kittyQuestion, "\u{1B}_Gi=31;OK\u{1B}\\"), Self.attributes,
                ])
            return try shown(show(on: terminal, project: project))
        }

        @Test func aPictureThatKittyCannotDrawIsALine() throws {
            let pictures = try [
                "short.png": Fixtures.data(named: "moon.png").prefix(20),
                "a.jpg": Fixtures.data(named: "coffee.jpg"), "a.gif": Fixtures.picture(""),
            ]
            try store.succeed("new", "Gemini")
            for (name, bytes) in pictures {
                let file = store.parent.appending(path: name)
                try bytes.write(to: file)
                try store.succeed("import", "Gemini", file.path)
            }
            let output = try showInKitty("Gemini")
            #expect(!output.contains("\u{1B}"))
            #expect(output.hasSuffix(Self.hint))
            #expect(output.split(separator: "\n").count == pictures.count + 1)
        }

        @Test func aMissingFileIsALineAndTheOthersAreDrawn() throws {
            let photo = try store.photos(of: "Apollo")[1]
            try FileManager.default.removeItem(at: store.folder.appending(path: photo.path))
            try store.succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            // On a busy machine the answer can come too late; then nothing is drawn.
            for _ in 0..<10 {
                let output = try showInKitty("Apollo")
                guard output.contains("a=T") else { continue }
                #expect(output.matches(of: /a=T/).count == 2)
                #expect(output.contains(/\ncoffee.jpg    38.6 KB  [-0-9]+  the file is missing\n/))
                return
            }
            Issue.record("nothing was drawn")
        }

        @Test(
            arguments: Sweep.cases(["iTerm2 3.5.4", "WezTerm 20240203", "mintty 3.7.0"], sample: 1))
        func inlineImagesAreDrawnAsITerm2HasThem(_ version: String) throws {
            let terminal = ScriptedTerminal(
                name: "iTerm2",
                answers: [
                    (ScriptedTerminal.versionQuestion, "\u{1B}P>|\(version)\u{1B}\\"),
                    Self.attributes,
                ])
            let output = try shown(show(on: terminal, until: "1337"))
            let images = output.matches(of: /\e\]1337;File=([^:]*):([^\x07]*)\x07\n/)
            #expect(try images.map { String($0.2) } == [bytes("moon.png"), bytes("coffee.jpg")])
            #expect(images.allSatisfy { $0.1.contains("inline=1") })
            try expectLines(output.replacing(/\e\][^\x07]*\x07\n/, with: ""))
        }

        @Test func aTerminalThatAnswersOnlyItsAttributesGetsLines() throws {
            let terminal = ScriptedTerminal(name: "xterm", answers: [Self.attributes])
            try expectLines(shown(show(on: terminal)), hint: Self.hint)
        }

        @Test func aTerminalThatNeverAnswersGetsLines() throws {
            try expectLines(
                shown(show(on: ScriptedTerminal(name: "silent", answers: []))), hint: Self.hint)
        }

        @Test func aTerminalThatAnswersGarbageGetsLines() throws {
            let garbage = "\u{1B}[?x;;\u{1B}_Gi=31\u{1B}[\u{FFFD}c\n\u{1B}P>|\u{7}"
            let terminal = ScriptedTerminal(
                name: "garbage", answers: [(ScriptedTerminal.attributesQuestion, garbage)])
            try expectLines(shown(show(on: terminal)), hint: Self.hint)
        }

        @Test(arguments: ["dumb", "", "linux"])
        func aTerminalWithoutEscapeSequencesIsNotAsked(_ type: String) throws {
            let terminal = ScriptedTerminal(name: type, answers: [])
            let output = try show(on: terminal, type: type)
            try expectLines(output.replacing("\r\n", with: "\n"), hint: Self.hint)
        }

        @Test func aPipeGetsLines() throws {
            try expectLines(store.succeed("show", "Apollo"))
            let one = try store.succeed("show", "Apollo", "coffee.jpg")
            #expect(one.split(separator: "\n").count == 1)
        }

        @Test func aTerminalWhoseInputIsNoTerminalIsNotAsked() throws {
            let terminal = try PseudoTerminal()
            let demo = try store.start(
                ["show", "Apollo"], output: terminal.slave,
                environment: ["TERM": "xterm-kitty", "NO_COLOR": "1"])
            try expectLines(terminal.output(of: demo).replacing("\r\n", with: "\n"))
        }

        @Test func controlCWhileItWaitsLeavesTheTerminalAsItWas() throws {
            // On a busy machine the wait can be over before the signal comes.
            for _ in 0..<10 where try interruptedStatus() == 130 { return }
            Issue.record("no wait was interrupted")
        }

        /// The status of a command that is interrupted while it waits for an answer.
        private func interruptedStatus() throws -> Int32 {
            let terminal = try PseudoTerminal()
            var (before, after) = (termios(), termios())
            try #require(tcgetattr(terminal.slave.fileDescriptor, &before) == 0)
            let demo = try store.start(
                ["show", "Apollo"], input: terminal.slave, output: terminal.slave,
                environment: ["TERM": "xterm"])
            _ = try terminal.master.read(upToCount: 10)
            demo.process.interrupt()
            demo.process.waitUntilExit()
            try #require(tcgetattr(terminal.slave.fileDescriptor, &after) == 0)
            #expect(before.c_lflag == after.c_lflag)
            return demo.process.terminationStatus
        }
    }
#endif
