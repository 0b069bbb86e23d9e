import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// What commands show on terminals of several widths, with colour and without.
    struct TranscriptTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"],
                ["new", "A name that is longer than the line of a terminal \u{1F680}日本"],
                ["note", "Apollo", "One small step for a man, one giant leap for mankind"],
            ])
            let photo = store.parent.appending(path: "a photo whose name is as long as a line.png")
            try Fixtures.data(named: "moon.png").write(to: photo)
            try store.succeed("import", "Apollo", photo.path, Fixtures.path(of: "coffee.jpg"))
        }

        @Test(
            arguments: Sweep.cases(
                [
                    ["list"], ["photos", "Apollo"], ["notes", "Apollo"], ["stats"],
                    ["show", "Apollo"], ["help"], ["help", "gallery"], ["help", "completions"],
                    ["import", "--help"],
                ], sample: 3), [20, 40, 120] as [UInt16])
        func noLineIsWiderThanTheTerminal(_ command: [String], _ columns: UInt16) throws {
            let plain = try transcript(of: command, columns, ["NO_COLOR": "1"])
            #expect(!plain.contains("\u{1B}"))
            let coloured = try transcript(of: command, columns, [:])
            #expect(coloured.replacing(/\e\[[0-9;]*m/, with: "") == plain)
            #expect(coloured.contains("\u{1B}") != command.contains { $0.hasSuffix("help") })
            // The longest word of help is wider than 20 columns.
            guard columns > 20 || !command.contains(where: { $0.hasSuffix("help") }) else { return }
            for line in plain.split(separator: "\n") {
                #expect(Self.columns(of: String(line)) <= columns, "\(line)")
            }
        }

        @Test func aLongNameEndsInAnEllipsis() throws {
            for command in [["list"], ["photos", "Apollo"], ["stats"]] {
                #expect(try transcript(of: command, 40, [:]).contains("…"))
                #expect(!(try store.succeed(command)).contains("…") || command == ["stats"])
            }
        }

        @Test func statsHaveBarsAtFortyColumns() throws {
            #expect(try transcript(of: ["stats"], 40, [:]).contains("━━━"))
        }

        private func transcript(
            of command: [String], _ columns: UInt16, _ environment: [String: String]
        ) throws -> String {
            let terminal = try PseudoTerminal(columns: columns)
            // Its input is no terminal, so that it is not asked for graphics.
            let arguments =
                command.contains("help") ? command : command + ["--store", store.folder.path]
            let demo = try DemoProcess(
                arguments, environment: ["TERM": "xterm"].merging(environment) { $1 },
                output: terminal.slave)
            return try terminal.output(of: demo).replacing("\r\n", with: "\n")
        }

        /// The columns of a line whose only wide characters are those of this test.
        private static func columns(of line: String) -> Int {
            line.count + line.count { "\u{1F680}日本".contains($0) }
        }
    }
#endif
