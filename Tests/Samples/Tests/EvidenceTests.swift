import Foundation
import Testing

/// Evidence, Contributing and House name suites, steps, commands and files that exist.
struct EvidenceTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func article(_ name: String) throws -> String {
        try text("Sources/Directory/Directory.docc/\(name).md")
    }

    /// The cells of the rows of all tables of an article, without headers.
    private func rows(of article: String) throws -> [[String]] {
        try self.article(article).split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { !["promise", "Room", "Size"].contains($0.first) }
    }

    /// The names in backticks that end with `suffix`.
    private func names(_ cell: String, suffix: String = "") -> [String] {
        cell.matches(of: #/`([\w.]+)`/#).map { String($0.1) }.filter {
            $0.hasSuffix(suffix) && $0 != suffix
        }
    }

    /// The suites that have a test, by their declarations and extensions: those whose names are unique, and
    /// all with the name of their target.
    private func suites() throws -> Set<String> {
        let tests = Self.root.appending(path: "Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
        var targets: [String: Set<Substring>] = [:]
        for path in paths where path.hasSuffix(".swift") {
            let source = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            guard source.contains("@Test"), let target = path.split(separator: "/").first else {
                continue
            }
            for suite in source.matches(of: #/(?:struct|class|extension) (\w+Tests)\b/#) {
                targets[String(suite.1), default: []].insert(target)
            }
        }
        return targets.reduce(into: []) { names, suite in
            if suite.value.count == 1 { names.insert(suite.key) }
            names.formUnion(suite.value.map { "\($0).\(suite.key)" })
        }
    }

    @Test func everySuiteThatIsNamedExists() throws {
        let suites = try suites()
        for row in try rows(of: "Evidence") {
            #expect(Set(names(row[1])).subtracting(suites) == [], "\(row[0])")
            #expect(!names(row[1]).isEmpty || !names(row[3]).isEmpty, "\(row[0])")
        }
        let targets = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Tests").path)
        let known = suites.union(targets).union(["SamplesTests"])
        let mentioned = try names(article("Contributing"), suffix: "Tests")
        #expect(Set(mentioned).subtracting(known) == [])
    }

    @Test func everyFileThatTheHouseNamesExists() throws {
        let named = try article("House").matches(of: #/`([\w/+]+\.swift)`/#).map { "/\($0.1)" }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.root.path + "/Sources")
        #expect(named.count > 10)
        for name in named {
            #expect(paths.contains { $0.hasSuffix(name) }, "\(name)")
        }
    }

    /// The House tells one commit: each step is a line of `Core.write` or of `Commit.run`, in this order.
    @Test func theHouseTellsTheStepsOfACommitAsTheCodeHasThem() throws {
        let section = try article("House").split(separator: "### One commit")[1]
            .split(separator: "\n### ")[0]
        let steps = section.matches(of: #/(?m)^\d+\. `(\w+)`(?: and `(\w+)`)?/#)
            .flatMap { [$0.1, $0.2].compactMap(\.self).map(String.init) }
        #expect(section.matches(of: #/(?m)^\d+\. /#).count <= 15 && steps.count >= 15)
        let before = try text("Sources/Directory/Engine/Core/Core+Committing.swift")
        let commit = try text("Sources/Directory/Transactions/Commit/Commit.swift")
            .split(separator: "func run() throws")[1]
        // The steps up to the commit point have a function of their own, because a full volume repeats them.
        let run = commit.split(separator: "try commit(kind, joint,", maxSplits: 1)
        try #require(run.count == 2)
        let rest = commit.split(separator: "private func commit(")[1]
        var code = before[...] + run[0] + rest.split(separator: "\n    }")[0] + run[1]
        for step in steps {
            let found = try #require(code.range(of: "\(step)("), "\(step)")
            code = code[found.upperBound...]
        }
    }

    @Test func everyStepOfTheFullRunIsNamedAndExists() throws {
        let script = try text(".ci/full")
        let steps = script.matches(of: #/(?m)^(\w+)\(\)/#).map { String($0.1) }
        let named = try rows(of: "Evidence").flatMap { names($0[3]) }
        #expect(Set(named) == Set(steps).subtracting(["full"]))
    }

    /// Each sentence under "What holds" in README, and each promise in the list of the article.
    @Test func everyPromiseHasARow() throws {
        let promised = try rows(of: "Evidence").map { $0[0] }.joined(separator: "\n")
        let readme = try text("README.md").split(separator: "## What holds")[1]
            .split(separator: "**Limits.**")[0]
        let items = readme.split(separator: "\n- ").dropFirst().map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let sentences = items.flatMap { $0.split(separator: ". ") }
        let crash = try article("CrashSafety").matches(of: #/- \*\*(.+?)\.\*\*/#).map { $0.1 }
        #expect(sentences.count > 8 && crash.count > 3)
        for sentence in sentences + crash {
            #expect(promised.contains(sentence), "no row of Evidence has “\(sentence)”")
        }
    }

    /// The rooms from `Engine` down know no type of items: they name none, and nothing in them is generic but helpers,
    /// of the result of a closure, of a record on disk, of a value that waits, or of parts of any kind.
    @Test func theEngineKnowsNoTypeOfItems() throws {
        let parameters: Set = ["Result", "Value", "Coder", "Part", "Participant"]
        for room in ["Engine", "Maintenance", "Transactions", "Index", "Journal", "Elements"] {
            let folder = Self.root.appending(path: "Sources/Directory/\(room)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") }
            #expect(!paths.isEmpty)
            for path in paths {
                let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                let types = source.matches(
                    of:
                        #/Directory<|ItemCoding|ItemElement|Codable & Identifiable|\bItem\.(ID|self)/#
                )
                #expect(types.map { $0.0 } == [], "\(room)/\(path)")
                let generic = source.matches(
                    of: #/(?:func|class|struct|enum|init)\b[ \w]*<(\w+)/#)
                #expect(Set(generic.map { String($0.1) }).subtracting(parameters) == [], "\(path)")
            }
        }
    }

    @Test func everyRoomHasACommand() throws {
        let sources = Self.root.appending(path: "Sources/Directory")
        let rooms = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { !$0.contains(".") }
        let rows = try rows(of: "Contributing")
        for room in rooms {
            #expect(rows.contains { $0[0] == "`\(room)`" }, "\(room)")
        }
        for command in rows.flatMap({ $0[1].matches(of: #/`\.ci/test ([\w ]+)`/#) }) {
            #expect(try filter(of: String(command.1)).contains("Tests"), "\(command.0)")
        }
    }

    /// What `.ci/test` gives to `swift test` for `rooms`.
    private func filter(of rooms: String) throws -> String {
        let process = Process()
        process.executableURL = Self.root.appending(path: ".ci/test")
        process.arguments = rooms.split(separator: " ").map(String.init) + ["--filter"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: text ?? Data(), as: UTF8.self) : ""
    }
}
