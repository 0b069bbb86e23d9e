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

        private func expectLines(_ output: String) throws {
            let day = /\d{4}-\d\d-\d\d/
            let lines = output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(
                lines.first?.wholeMatch(of: /moon.png      29.7 KB  (.*)/)?.1.wholeMatch(of: day)
                    != nil)
            #expect(lines.last?.hasPrefix("coffee.jpg    38.6 KB  ") == true)
            #expect(!output.contains("\u{1B}"))
        }

        @Test func kittyDrawsPicturesByItsProtocol() throws {
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
            let starts = commands.indices.filter { commands[$0].1.contains("a=T") }
            #expect(starts.count >= 1)
            #expect(starts.allSatisfy { commands[$0].1.contains("q=2") })
            let moon = commands[..<(starts.dropFirst().first ?? commands.endIndex)]
            #expect(try moon.map { String($0.2) }.joined() == bytes("moon.png"))
            #expect(moon.last?.1 == "m=0")
            try expectLines(output.replacing(/\e_G[^\e]*\e\\\n?/, with: ""))

            // The second is a JPEG, which is sent as pixels: brown coffee in the middle.
            let second = try #require(starts.last)
            #expect(commands[second].1.contains("f=24,s=512,v=341,"))
            let text = commands[second...].map { String($0.2) }.joined()
            let pixels = try [UInt8](#require(Data(base64Encoded: text)))
            try #require(pixels.count == 512 * 341 * 3)
            let coffee = pixels.dropFirst(3 * (120 * 512 + 256)).prefix(3)
            // As a browser decodes it.
            #expect(zip(coffee, [232, 144, 55]).allSatisfy { abs(Int($0) - $1) <= 3 })
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
            let coffee = try Fixtures.data(named: "coffee.jpg")
            var huge = coffee
            let frame = try #require(huge.firstRange(of: [0xFF, 0xC0])).upperBound
            // The height and the width, after the length and the precision.
            huge.replaceSubrange(frame + 3..<frame + 7, with: [0x27, 0x10, 0x1A, 0x00])
            huge.removeLast(huge.count * 9 / 10)
            let pictures = [
                "header.jpg": coffee.prefix(300),
                "truncated.jpg": coffee.dropLast(coffee.count / 2),
                "huge.jpg": huge, "a.gif": Fixtures.picture(""),
            ]
            try store.succeed("new", "Gemini")
            for (name, bytes) in pictures {
                let file = store.parent.appending(path: name)
                try bytes.write(to: file)
                try store.succeed("import", "Gemini", file.path)
            }
            let output = try showInKitty("Gemini")
            #expect(!output.contains("\u{1B}"))
            #expect(output.split(separator: "\n").count == pictures.count)
        }

        /// The middle of the cup is at a third of the height, or of the width after a quarter turn.
        @Test(
            arguments: Sweep.cases(
                [
                    (1, 512, 341, 256, 120), (3, 512, 341, 255, 220), (6, 341, 512, 220, 256),
                    (8, 341, 512, 120, 255), (9, 512, 341, 256, 120),
                ], sample: 2))
        func aJPEGIsTurnedAsItsCameraWasHeld(
            _ orientation: UInt8, _ width: Int, _ height: Int, _ x: Int, _ y: Int
        ) throws {
            let tiff: [UInt8] = [
                0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0,
                0,
            ]
            let exif = [UInt8]("Exif\0\0".utf8) + tiff
            var picture = try Fixtures.data(named: "coffee.jpg")
            picture.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif, at: 2)
            let file = store.parent.appending(path: "turned.jpg")
            try picture.write(to: file)
            try store.succeed("new", "Gemini")
            try store.succeed("import", "Gemini", file.path)
            // On a busy machine the answer can come too late; then nothing is drawn.
            for _ in 0..<10 {
                let output = try showInKitty("Gemini")
                guard output.contains("a=T") else { continue }
                #expect(output.contains("f=24,s=\(width),v=\(height),"))
                let text = output.matches(of: /\e_G[^;]*;([^\e]*)\e/).map { String($0.1) }.joined()
                let pixels = try [UInt8](#require(Data(base64Encoded: text)))
                let pixel = pixels.dropFirst(3 * (y * width + x)).prefix(3)
                #expect(zip(pixel, [232, 144, 55]).allSatisfy { abs(Int($0) - $1) <= 3 })
                return
            }
            Issue.record("nothing was drawn")
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
            try expectLines(shown(show(on: terminal)))
        }

        @Test func aTerminalThatNeverAnswersGetsLines() throws {
            try expectLines(shown(show(on: ScriptedTerminal(name: "silent", answers: []))))
        }

        @Test func aTerminalThatAnswersGarbageGetsLines() throws {
            let garbage = "\u{1B}[?x;;\u{1B}_Gi=31\u{1B}[\u{FFFD}c\n\u{1B}P>|\u{7}"
            let terminal = ScriptedTerminal(
                name: "garbage", answers: [(ScriptedTerminal.attributesQuestion, garbage)])
            try expectLines(shown(show(on: terminal)))
        }

        @Test(arguments: ["dumb", "", "linux"])
        func aTerminalWithoutEscapeSequencesIsNotAsked(_ type: String) throws {
            let terminal = ScriptedTerminal(name: type, answers: [])
            let output = try show(on: terminal, type: type)
            try expectLines(output.replacing("\r\n", with: "\n"))
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
