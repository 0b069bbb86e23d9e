import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    @Suite struct TourTests {
        let temporary: TemporaryFolder

        init() throws {
            temporary = try TemporaryFolder()
        }

        private func start(
            _ environment: [String: String] = [:], output: FileHandle? = nil
        ) throws -> DemoProcess {
            try DemoProcess(
                [], environment: environment.merging(["TMPDIR": temporary.url.path]) { $1 },
                in: temporary.url, output: output)
        }

        @Test func tourSucceedsAndPrintsItsFolderLast() throws {
            let outcome = try start().outcome()
            #expect(outcome.status == 0)
            #expect(outcome.error == "")
            #expect(!outcome.output.contains("\u{1B}"))
            let last = try #require(outcome.output.split(separator: "\n").last)
            let path = try #require(last.split(separator: " ").last)
            #expect(path.hasPrefix(temporary.url.path))

            let verify = try DemoProcess(["verify", "--store", String(path)]).outcome()
            #expect(verify.status == 0)
        }

        @Test(arguments: [
            ([:], true), (["NO_COLOR": ""], true),
            (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
        ])
        func colourIsOnlyForTerminalsThatAllowIt(
            _ environment: [String: String], hasColour: Bool
        ) throws {
            let terminal = try PseudoTerminal()
            let demo = try start(
                ["TERM": "xterm"].merging(environment) { $1 }, output: terminal.slave)
            let output = try terminal.output(of: demo)
            #expect(output.contains("A collection is a folder with an index"))
            #expect(output.contains("\u{1B}[") == hasColour)
        }

        @Test func aClosedPipeEndsTheDemoWithoutAnError() throws {
            let demo = try start()
            try demo.output.fileHandleForReading.close()
            demo.process.waitUntilExit()
            let error = try demo.error.fileHandleForReading.readToEnd() ?? Data()
            #expect(error.isEmpty)
            #expect(demo.process.terminationReason == .uncaughtSignal)
            #expect(demo.process.terminationStatus == SIGPIPE)
        }
    }
#endif
