import Foundation
import Testing

#if os(Linux) || os(macOS)
    /// `watch` while other processes change the store.
    @Suite(.timeLimit(.minutes(30))) struct WatchTests {
        /// What a process prints, read as it comes.
        private struct Output {
            let file: FileHandle
            private(set) var text = ""

            init(_ file: FileHandle) { self.file = file }

            /// Reads until what follows the last text that was found has `expected`.
            mutating func find(_ expected: String) throws {
                while true {
                    if let range = text.range(of: expected) {
                        text.removeSubrange(..<range.upperBound)
                        return
                    }
                    let bytes = file.availableData
                    try #require(!bytes.isEmpty, "it ended after: \(text)")
                    text += String(decoding: bytes, as: UTF8.self)
                }
            }
        }

        @Test func eachChangeIsALineWithTheNames() throws {
            let store = try DemoStore(after: [["new", "Apollo"]])
            let watch = try store.start(["watch"])
            defer { watch.process.terminate() }
            var output = Output(watch.output.fileHandleForReading)
            try output.find("watching 1 project in \(store.folder.path)/\n")
            try store.succeed("new", "Gemini")
            try output.find("added Gemini\n")
            try store.succeed("rename", "Apollo", "Apollo 11")
            try output.find("renamed Apollo to Apollo 11\n")
            try store.succeed("remove", "Gemini", "--force")
            try output.find("removed Gemini\n")
            #expect(output.text.isEmpty)
        }

        @Test func anIndexThatCannotBeReadIsAnErrorAndIsFollowedOn() throws {
            let store = try DemoStore(after: [["new", "Apollo"]])
            let index = store.folder.appending(path: "projects.json")
            let bytes = try Data(contentsOf: index)
            let watch = try store.start(["watch"])
            defer { watch.process.terminate() }
            var output = Output(watch.output.fileHandleForReading)
            var errors = Output(watch.error.fileHandleForReading)
            try output.find("watching 1 project")
            try Data("{".utf8).write(to: index)
            try errors.find("directory-demo: cannot ")
            try bytes.write(to: index)
            try store.succeed("new", "Gemini")
            try output.find("added Gemini\n")
        }

        @Test func controlCEndsIt() throws {
            let store = try DemoStore(after: [["new", "Apollo"]])
            // Tests that a shell runs in the background ignore the signal, and so would the programs that they start.
            let given = signal(SIGINT, SIG_DFL)
            defer { signal(SIGINT, given) }
            let watch = try store.start(["watch"])
            var output = Output(watch.output.fileHandleForReading)
            try output.find("watching 1 project")
            watch.process.interrupt()
            watch.process.waitUntilExit()
            #expect(watch.process.terminationReason == .uncaughtSignal)
            #expect(watch.process.terminationStatus == SIGINT)
        }

        @Test func itEndsWhenNobodyReadsWhatItPrints() throws {
            let store = try DemoStore(after: [["new", "Apollo"]])
            let watch = try store.start(["watch"])
            var output = Output(watch.output.fileHandleForReading)
            try output.find("watching 1 project")
            try watch.output.fileHandleForReading.close()
            try store.succeed("new", "Gemini")
            watch.process.waitUntilExit()
            #expect(watch.process.terminationStatus != 0)
        }
    }
#endif
