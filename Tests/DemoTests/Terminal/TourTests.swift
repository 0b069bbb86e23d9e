import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct TourTests {
        let temporary: TemporaryFolder

        init() throws {
            temporary = try TemporaryFolder()
        }

        /// The folder of the tour that two tests look at, until the process of the tests ends.
        private static let folder = Result { try TemporaryFolder() }
        private static let tour = Result {
            // Best effort: the folder is a temporary one.
            atexit { try? FileManager.default.removeItem(at: TourTests.folder.get().url) }
            let folder = try TourTests.folder.get().url
            return try DemoProcess([], environment: ["TMPDIR": folder.path], in: folder).outcome()
        }

        private func start(
            _ environment: [String: String] = [:], output: FileHandle? = nil
        ) throws -> DemoProcess {
            try DemoProcess(
                [],
                environment: environment.merging(["TMPDIR": temporary.url.path]) { old, _ in old },
                in: temporary.url, output: output)
        }

        @Test func tourSucceedsAndPrintsItsFolderLast() throws {
            let outcome = try Self.tour.get()
            #expect(outcome.status == 0)
            #expect(outcome.error == "")
            #expect(!outcome.output.contains("\u{1B}"))
            let last = try #require(outcome.output.split(separator: "\n").last)
            let path = try #require(last.split(separator: " ").last)
            #expect(path.hasPrefix(try Self.folder.get().url.path))

            let verify = try DemoProcess(["verify", "--store", String(path)]).outcome()
            #expect(verify.status == 0)
            try expectGallery(outcome.output)
        }

        @Test func someOfTheKilledImportsTakePlaceAndSomeDoNot() throws {
            // On a busy machine all of a tour can be early or late.
            for number in 0..<5 {
                let output = try (number == 0 ? Self.tour.get() : start().outcome()).output
                let marks = try #require(output.firstMatch(of: /a little later:  ([●○]{10})/)?.1)
                if marks.contains("●") && marks.contains("○") { return }
            }
            Issue.record("no tour had both")
        }

        /// The page that the tour made is where the tour says.
        private func expectGallery(_ output: String) throws {
            let line = try #require(output.split(separator: "\n").last { $0.hasPrefix("file://") })
            let page = try #require(URL(string: String(line)))
            let html = try String(contentsOf: page, encoding: .utf8)
            #expect(html.matches(of: /<figure/).count >= 6)
        }

        @Test func anInstalledDemoPaintsItsPicturesAndQuotesItsFolder() throws {
            let folder = temporary.url.appending(path: "bin", directoryHint: .isDirectory)
            let stores = temporary.url.appending(path: "it's $HOME", directoryHint: .isDirectory)
            for new in [folder, stores] {
                try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
            }
            let copy = folder.appending(path: "directory-demo")
            try FileManager.default.copyItem(at: builtProgram("directory-demo"), to: copy)
            let outcome = try DemoProcess(
                [], environment: ["TMPDIR": stores.path], in: folder, executable: copy
            ).outcome()
            #expect(outcome.status == 0)
            #expect(outcome.error == "")
            #expect(outcome.output.contains("astronaut.bmp, camera.bmp, chelsea.bmp"))
            try expectGallery(outcome.output)
            // The last line removes the folder of the tour, and nothing else is left.
            let last = try #require(outcome.output.split(separator: "\n").last)
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", String(last)]
            try shell.run()
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: stores.path).isEmpty)
        }

        @Test(
            arguments: Sweep.cases(
                [
                    ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false),
                    (["TERM": "dumb"], false),
                ] as [([String: String], Bool)], sample: 1))
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
