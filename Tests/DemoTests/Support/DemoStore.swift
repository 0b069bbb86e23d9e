import Foundation
import Synchronization
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// A temporary store, and the demo's commands on it.
    struct DemoStore {
        private let temporary: TemporaryFolder
        /// The folder of the test, in which the store is.
        let parent: URL
        /// The folder of the store, which is missing at first.
        let folder: URL

        init() throws {
            temporary = try TemporaryFolder()
            parent = temporary.url
            folder = parent.appending(path: "Store", directoryHint: .isDirectory)
        }

        /// A store after `commands`, each of which must succeed.
        init(after commands: [[String]]) throws {
            try self.init()
            try begin(after: commands)
        }

        /// Makes the missing store as it is after `commands`, each of which must succeed.
        ///
        /// The commands run once for all tests that begin with them; each test has a copy.
        func begin(after commands: [[String]]) throws {
            try Self.made.withLock { made in
                if made[commands] == nil {
                    let store = try DemoStore()
                    for command in commands { try store.succeed(command) }
                    if made.isEmpty { atexit { DemoStore.made.withLock { $0 = [:] } } }
                    made[commands] = store
                }
                if let store = made[commands] {
                    try FileManager.default.copyItem(at: store.folder, to: folder)
                }
            }
        }

        /// The stores that tests begin with, until the process of the tests ends.
        private static let made = Mutex<[[[String]]: DemoStore]>([:])

        /// Runs a command, which may fail.
        func run(_ arguments: String...) throws -> DemoProcess.Outcome {
            try start(arguments).outcome()
        }

        func start(
            _ arguments: [String], after commands: String = "", input: FileHandle? = nil,
            output: FileHandle? = nil, environment: [String: String] = [:]
        ) throws -> DemoProcess {
            try DemoProcess(
                ["--store", folder.path] + arguments, environment: environment, after: commands,
                input: input, output: output)
        }

        /// Runs a command that must succeed, and returns what it printed.
        @discardableResult
        func succeed(_ arguments: String...) throws -> String {
            try succeed(arguments)
        }

        @discardableResult
        func succeed(_ arguments: [String]) throws -> String {
            let outcome = try start(arguments).outcome()
            #expect(outcome.error == "")
            try #require(outcome.status == 0)
            return outcome.output
        }

        /// Runs a command on a terminal on which `typed` is typed, and returns what it shows.
        func show(
            _ arguments: String..., typing typed: String = "", environment: [String: String] = [:]
        ) throws -> (text: String, status: Int32) {
            let terminal = try PseudoTerminal()
            let environment = ["TERM": "xterm"].merging(environment) { $1 }
            let demo = try start(
                arguments, input: terminal.slave, output: terminal.slave, environment: environment)
            try terminal.master.write(contentsOf: Data(typed.utf8))
            let text = try terminal.output(of: demo)
            return (text, demo.process.terminationStatus)
        }

        /// Runs a command that must fail and change nothing, and returns its error: one line, and
        /// one more if there is a hint.
        func fail(_ arguments: String...) throws -> String {
            let before = try files()
            let outcome = try start(arguments).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.error.hasPrefix("directory-demo: "))
            #expect((1...2).contains(outcome.error.filter { $0 == "\n" }.count))
            #expect(!outcome.error.contains(".."))
            #expect(try files() == before)
            return outcome.error
        }
    }

    extension DemoStore {
        struct Project: Decodable, Equatable {
            let name: String
            let folder: String
            let photos: Int
            let notes: Int
        }

        struct Photo: Decodable {
            let id: UUID
            let name: String
            let path: String
            let byteCount: Int
        }

        struct Finding: Decodable {
            let kind: String
            let path: String
        }

        /// What `verify --repair --json` prints.
        struct Repairs: Decodable {
            struct Repair: Decodable {
                let finding: Finding
                let action: String
            }
            let repairs: [Repair]
            let findings: [Finding]
        }

        func projects() throws -> [Project] {
            try Self.decode(succeed("list", "--json"))
        }

        func photos(of project: String) throws -> [Photo] {
            try Self.decode(succeed("photos", project, "--json"))
        }

        /// Decodes what a command printed with `--json`.
        static func decode<Value: Decodable>(_ json: String) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(json.utf8))
        }

        /// The bytes of the file of a photo.
        func data(of photo: Photo) throws -> Data {
            try Data(contentsOf: folder.appending(path: photo.path))
        }

        /// The bytes of each visible file of the store, by path.
        func files() throws -> [String: Data] {
            guard FileManager.default.fileExists(atPath: folder.path) else { return [:] }
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try names.reduce(into: [:]) { files, name in
                let url = folder.appending(path: name)
                let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
                let values = try url.resourceValues(forKeys: [.isRegularFileKey])
                if !isHidden, values.isRegularFile == true {
                    files[name] = try Data(contentsOf: url)
                }
            }
        }

        /// Checks that each photo of `project` has the bytes of the fixture with its name.
        func expectSources(_ project: String) throws {
            for photo in try photos(of: project) {
                let source = try Fixtures.data(named: photo.name)
                #expect(try data(of: photo) == source)
                #expect(photo.byteCount == source.count)
            }
        }

        /// Checks that `verify` finds nothing, and that no temporary or removed file is left.
        func expectConsistent() throws {
            #expect(try succeed("verify", "--json").filter { !$0.isWhitespace } == "[]")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            // The next change that is recorded tidies up the history.
            let own = names.filter { !$0.hasPrefix(".undo/") }
            #expect(own.filter { $0.hasSuffix(".tmp") || $0.contains(".trash") } == [])
        }
    }
#endif
