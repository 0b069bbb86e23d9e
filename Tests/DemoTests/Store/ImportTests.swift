import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct ImportTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [["new", "Apollo"]])
        }

        /// A new folder with a file at each of `paths`.
        private func makeFolder(with paths: [String]) throws -> URL {
            let folder = store.parent.appending(path: "in", directoryHint: .isDirectory)
            for path in paths {
                let url = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Fixtures.picture(path).write(to: url)
            }
            return folder
        }

        @Test func foldersAreImportedInOrderWithoutHiddenFiles() throws {
            let paths = ["b/2.txt", "b/.hidden", "b/1.txt", "a", "c/d/e", ".git/x", "z"]
            let folder = try makeFolder(with: paths)
            let output = try store.succeed("import", "Apollo", folder.path)
            #expect(
                try store.photos(of: "Apollo").map(\.name) == ["a", "1.txt", "2.txt", "e", "z"])
            #expect(output.hasPrefix("1 of 5  a  7 B\n2 of 5  1.txt  13 B\n"))
            #expect(output.hasSuffix("Imported 5 files, 51 B, into Apollo\n"))
            #expect(!output.contains("\u{1B}") && !output.contains("\r"))
        }

        /// As `touch -d 2300-01-01` sets them; 64 bits of nanoseconds end in 2262.
        @Test(arguments: Sweep.cases(distantTimes, sample: 2))
        func filesMayHaveAnyDate(_ seconds: Int) throws {
            let folder = try makeFolder(with: ["a", "b"])
            for file in ["a", "b"] {
                try setModificationTime(of: folder.appending(path: file), toSeconds: seconds)
            }
            try store.succeed("import", "Apollo", folder.path)
            for path in try FileManager.default.subpathsOfDirectory(atPath: store.folder.path) {
                try setModificationTime(of: store.folder.appending(path: path), toSeconds: seconds)
            }
            #expect(try store.photos(of: "Apollo").map(\.name) == ["a", "b"])
            try store.succeed("tree")
            try store.succeed("export", "Apollo", store.parent.appending(path: "out").path)
            try store.expectConsistent()
        }

        /// Sparse files of nearly 8 EiB; the first source is missing, so nothing is copied.
        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
        func filesMayBeLargerTogetherThanAnyNumber() throws {
            let folder = URL(filePath: "/dev/shm/\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let files = ["a", "b", "c"].map { folder.appending(path: $0).path }
            for file in files { truncate(file, 9_000_000_000_000_000_000) }
            let outcome = try store.start(["import", "Apollo", "/missing"] + files).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("/missing"))
        }

        @Test func importKeepsItsSources() throws {
            let before = try Fixtures.photos().map { try Data(contentsOf: $0) }
            try store.succeed("import", "Apollo", Fixtures.folder.path)
            #expect(try Fixtures.photos().map { try Data(contentsOf: $0) } == before)
        }

        @Test func oneInvalidSourceFailsTheWholeImport() throws {
            let folder = try makeFolder(with: ["a.jpg", "b/c.jpg"])
            let good = folder.appending(path: "a.jpg").path
            #expect(
                try store.fail("import", "Apollo", good, "/missing.jpg").contains("/missing.jpg"))
            #expect(try store.fail("import", "Apollo", good, "").contains("empty"))
            let link = folder.appending(path: "b/link")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: good)
            let error = try store.fail("import", "Apollo", folder.path)
            #expect(error.contains("symbolic link; nothing was imported\n"))
            #expect(error.contains("--skip-unsupported"))
            let output = try store.succeed("import", "Apollo", folder.path, "--skip-unsupported")
            #expect(output.hasPrefix("1 of 2  a.jpg"))
            #expect(output.hasSuffix("Left out: \(link.path)\n"))
            try store.succeed("undo")
            try FileManager.default.removeItem(at: link)
            try #require(mkfifo(link.path, 0o600) == 0)
            #expect(try store.fail("import", "Apollo", folder.path).contains("not a regular file"))
            try FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(try store.fail("import", "Apollo", folder.path).contains("nothing to import"))
            #expect(try store.projects().map(\.photos) == [0])
            try store.expectConsistent()
        }

        @Test func onlyPicturesBecomePhotos() throws {
            let credits = Fixtures.path(of: "CREDITS.md")
            let output = try store.succeed("import", "Apollo", Fixtures.folder.path)
            #expect(output.hasSuffix("\nLeft out: \(Fixtures.path(of: "CREDITS.md"))\n"))
            #expect(try store.projects().map(\.photos) == [8])
            let error = try store.fail("import", "Apollo", Fixtures.path(of: "moon.png"), credits)
            #expect(error.contains("\(credits): it is not a picture; nothing was imported\n"))
            let several = try store.fail("import", "Apollo", credits, "/missing.jpg", "/dev/null")
            let missing = "/missing.jpg: No such file or directory"
            #expect(
                several.contains("import \(missing), \(credits): it is not a picture, /dev/null"))
            let left = try store.fail(
                "import", "Apollo", credits, "/missing.jpg", "--skip-unsupported")
            #expect(left.hasSuffix("cannot import \(missing); nothing was imported\n"))
            let many = Array(repeating: credits, count: 6)
            let first = try store.start(["import", "Apollo"] + many).outcome().error
            #expect(first.contains("a picture, and 2 other paths; nothing was imported\n"))
            try store.succeed(
                "import", "Apollo", credits, Fixtures.path(of: "moon.png"), "--skip-unsupported")
            #expect(try store.projects().map(\.photos) == [9])
            #expect(
                try store.fail("import", "Apollo", credits, "--skip-unsupported")
                    .contains("nothing to import: no picture was found"))
        }

        #if os(Linux)
            /// Foundation cannot name such a file, so it is not found under the name that it is given.
            @Test func aFileWhoseNameIsNotUTF8IsRefused() throws {
                let folder = try makeFolder(with: ["bad", "good"])
                let path = Array("\(folder.path)/".utf8) + [0xFF, 0]
                let status = path.withUnsafeBufferPointer { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { new in
                        rename("\(folder.path)/bad", new.baseAddress)
                    }
                }
                try #require(status == 0)
                // Foundation gives both names as this one.
                try Data(contentsOf: folder.appending(path: "good"))
                    .write(to: folder.appending(path: "\u{FFFD}"))
                let error = try store.fail("import", "Apollo", folder.path)
                #expect(error.contains("its name is not UTF-8, so rename it; nothing was imported"))
                try store.succeed("import", "Apollo", folder.path, "--skip-unsupported")
                #expect(try store.photos(of: "Apollo").map(\.name) == ["good"])
            }
        #endif

        @Test func aQuietImportPrintsNothing() throws {
            for option in ["--quiet", "-q"] {
                let output = try store.succeed("import", "Apollo", Fixtures.folder.path, option)
                #expect(output == "")
            }
            #expect(try store.projects().map(\.photos) == [16])
            #expect(try store.fail("import", "Apollo", "/missing", "-q").contains("/missing"))
        }

        @Test func importsAtTheSameTimeAllSucceed() throws {
            let arguments = ["import", "Apollo", Fixtures.folder.path]
            let imports = try (0..<3).map { _ in try store.start(arguments) }
            for demo in imports { #expect(try demo.outcome().status == 0) }
            #expect(try store.projects().map(\.photos) == [24])
            try store.expectSources("Apollo")
            try store.expectConsistent()
        }

        @Test(arguments: Sweep.cases([(SIGINT, Int32(130)), (SIGTERM, Int32(143))], sample: 1))
        func controlCAndSIGTERMUndoTheImport(_ signal: Int32, _ status: Int32) throws {
            // The output is longer than a pipe holds, so the demo waits until this test reads it.
            let padding = String(repeating: "x", count: 200)
            let folder = try makeFolder(with: (0..<600).map { "\(padding)-\($0)" })
            let demo = try store.start(["import", "Apollo", folder.path])
            _ = try demo.output.fileHandleForReading.read(upToCount: 1)
            // The demo begins to follow signals on another thread.
            Thread.sleep(forTimeInterval: 0.3)
            kill(demo.process.processIdentifier, signal)
            // The demo waits for its reader, who is slow, because a busy machine may deliver the signal late.
            repeat {
                Thread.sleep(forTimeInterval: 0.03)
            } while try demo.output.fileHandleForReading.read(upToCount: 4096)?.isEmpty == false
            let outcome = try demo.outcome()
            #expect(outcome.status == status)
            #expect(outcome.error.hasSuffix("cancelled; nothing was changed\n"))
            #expect(outcome.error.filter { $0 == "\n" }.count == 1)
            #expect(try store.projects().map(\.photos) == [0])
            try store.expectConsistent()
            let names = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
            #expect(!names.contains { $0.contains(".staging") })
        }

        @Test func aKilledImportIsCompleteOrLeavesNothing() throws {
            let arguments = ["import", "Apollo"] + (try Fixtures.photos().map(\.path))
            let whole = try ContinuousClock().measure { _ = try store.start(arguments).outcome() }
            let rounds = TestSize.choose(sample: 4, gate: 40, full: 200)
            for round in 0..<rounds {
                let demo = try store.start(arguments)
                Thread.sleep(forTimeInterval: whole / .seconds(1) * Double(round) / Double(rounds))
                kill(demo.process.processIdentifier, SIGKILL)
                _ = try demo.outcome()
            }
            #expect(try store.photos(of: "Apollo").count.isMultiple(of: 8))
            try store.expectSources("Apollo")
            try store.expectConsistent()
        }

    }
#endif
