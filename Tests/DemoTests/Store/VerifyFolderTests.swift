import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// `verify` of a folder with the collections of any app.
    struct VerifyFolderTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [["new", "Apollo"], ["note", "Apollo", "one"]])
        }

        private func verify(_ arguments: String...) throws -> DemoProcess.Outcome {
            try DemoProcess(["verify"] + arguments).outcome()
        }

        @Test func soundFolderHasNoProblems() throws {
            let outcome = try verify(store.parent.path)
            #expect(outcome.output == "✓ No problem was found below \(store.parent.path)\n")
            #expect(outcome.error == "" && outcome.status == 0)
            let json = try verify(store.parent.path, "--json")
            #expect(json.output.filter { !$0.isWhitespace } == "[]" && json.status == 0)
        }

        @Test func problemsOfAllStoresBelowAreShown() throws {
            let other = store.parent.appending(path: "other/deep/notes.json")
            let notes = store.folder.appending(path: "Project_Apollo/notes.json")
            try FileManager.default.createDirectory(
                at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(#"[{"id":1},{"id":1}]"#.utf8).write(to: other)
            try Data("[".utf8).write(to: notes)
            let outcome = try verify(store.parent.path)
            #expect(outcome.status == 1)
            #expect(outcome.error == "directory-demo: verify found 2 problems\n")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasSuffix(notes.path))
            #expect(lines.last?.hasSuffix(other.path) == true)
            let json = try verify("--json", store.parent.path)
            let findings: [DemoStore.Finding] = try DemoStore.decode(json.output)
            #expect(findings.map(\.kind) == ["damagedIndex", "duplicateID"])
            #expect(findings.map(\.path) == [notes.path, other.path] && json.status == 1)
        }

        @Test func relativeFolderIsThatOfTheProcess() throws {
            let outcome = try verify("no-such-folder")
            let folder = FileManager.default.currentDirectoryPath
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(outcome.error.contains("cannot verify \(folder)/no-such-folder/: "))
        }

        @Test(arguments: ["--repair", "--store=elsewhere"])
        func optionsThatNeedAStoreAreRefused(_ option: String) throws {
            let outcome = try verify(store.parent.path, option)
            #expect(outcome.status == 64)
            #expect(outcome.error.hasPrefix("directory-demo: verify of a folder has no option --"))
        }
    }
#endif
