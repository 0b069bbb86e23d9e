import Foundation
import Testing

#if os(Linux) || os(macOS)
    /// What the demo does if its output is closed, full or not read.
    struct OutputTests {
        let store: DemoStore

        init() throws { store = try DemoStore() }

        @Test(arguments: ["exec >&-", "exec >/dev/full"])
        func outputThatCannotBeWrittenIsAnError(_ commands: String) throws {
            try store.begin(after: [
                ["new", "Apollo"], ["import", "Apollo", Fixtures.path(of: "coffee.jpg")],
            ])
            let page = ["gallery", "--output", "-"]
            for arguments in [["list"], ["list", "--json"], page, ["--help"], ["new", commands]] {
                let outcome = try store.start(arguments, after: commands).outcome()
                #expect(outcome.status == 1, "\(arguments)")
                #expect(
                    outcome.error.hasPrefix("directory-demo: cannot write to standard output: "))
                #expect(outcome.error.split(separator: "\n").count == 1)
            }
            // What was changed stays, and no file got what was printed.
            #expect(try store.projects().map(\.name) == ["Apollo", commands])
            try store.expectConsistent()
        }

        @Test(arguments: ["exec 2>&-", "exec 2>/dev/full", "exec <&- >&- 2>&-"])
        func errorThatCannotBeWrittenHasItsStatus(_ commands: String) throws {
            try store.begin(after: [["new", "Apollo"]])
            #expect(try store.start(["new", "Apollo"], after: commands).outcome().status == 1)
            #expect(try store.start(["nonsense"], after: commands).outcome().status == 64)
            let photos = [Fixtures.folder.path]
            let status = try store.start(["import", "Apollo"] + photos, after: commands).outcome()
                .status
            #expect(status == (commands.contains(">&- ") ? 1 : 0))
            try store.expectSources("Apollo")
            try store.expectConsistent()
        }

        /// Swift replaces such bytes, so a path would be that of another file.
        @Test(arguments: [false, true])
        func bytesThatAreNotUTF8AreAnError(inCurrentFolder: Bool) throws {
            let store = try DemoStore()
            let bytes = #""$(printf '\351')""#
            let folder = "\(store.folder.deletingLastPathComponent().path)/\(bytes)"
            let commands =
                inCurrentFolder ? "mkdir \(folder) && cd \(folder)" : #"set -- "$@" \#(bytes)"#
            let outcome = try store.start(["new", "Apollo"], after: commands).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.error.contains("is not UTF-8\n"))
            #expect(try store.files().isEmpty)
        }

        /// As other tools of Unix: `directory-demo list | head -0`.
        @Test func outputThatNobodyReadsEndsTheProcess() throws {
            try store.begin(after: [["new", "Apollo"]])
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let demo = try store.start(["list"], output: pipe.fileHandleForWriting)
            demo.process.waitUntilExit()
            #expect(demo.process.terminationStatus == SIGPIPE)
            #expect(demo.process.terminationReason == .uncaughtSignal)
        }
    }
#endif
