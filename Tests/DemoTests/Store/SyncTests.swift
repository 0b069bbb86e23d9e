import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// Two stores that meet through a folder.
    struct SyncTests {
        let (first, second): (DemoStore, DemoStore)
        let shared: String

        init() throws {
            first = try DemoStore(after: [
                ["new", "Apollo"], ["import", "Apollo", Fixtures.path(of: "moon.png")],
                ["note", "Apollo", "The Eagle has landed"],
            ])
            second = try DemoStore()
            shared = first.parent.appending(path: "Shared").path
        }

        @Test func storesThatSyncBecomeTheSame() throws {
            #expect(try first.succeed("sync", shared).contains("told others of 3 items"))
            #expect(try second.succeed("sync", shared).contains("changed 3 items here"))
            #expect(try first.succeed("sync", shared).contains("nothing to do"))
            #expect(try second.projects() == first.projects())
            try second.expectSources("Apollo")
            #expect(try second.succeed("notes", "Apollo") == first.succeed("notes", "Apollo"))
            try second.succeed("remove", "Apollo", "moon.png")
            try second.succeed("sync", shared)
            try first.succeed("sync", shared)
            #expect(try first.photos(of: "Apollo").isEmpty)
            let devices = try first.succeed("devices", shared)
            #expect(devices.split(separator: "\n").count == 2 && devices.contains("this one"))
            for store in [first, second] { try store.expectConsistent() }
        }

        @Test func conflictsAreShownAndEnded() throws {
            for store in [first, second] { try store.succeed("sync", shared) }
            try first.succeed("rename", "Apollo", "Apollo 11")
            try second.succeed("rename", "Apollo", "Eagle")
            for store in [first, second] { try store.succeed("sync", shared) }
            let conflicts = try second.succeed("conflicts", shared)
            #expect(conflicts.contains("name of "))
            #expect(conflicts.contains("\"Apollo 11\"") && conflicts.contains("\"Eagle\""))
            #expect(try second.fail("conflicts", shared, "9").contains("no such conflict"))
            #expect(try second.fail("conflicts", shared, "1", "3").contains("no such conflict"))
            let lowest = "\(Int.min)"
            #expect(try second.fail("conflicts", shared, "--", lowest).contains("no such conflict"))
            #expect(try second.fail("conflicts", shared, "--", "1", lowest).contains("no such"))
            for _ in 0..<2 { try second.succeed("conflicts", shared, "1", "2") }
            #expect(try second.succeed("conflicts", shared).contains("Nobody"))
            try first.succeed("sync", shared)
            #expect(try first.projects() == second.projects())
            for store in [first, second] { try store.expectConsistent() }
        }

        @Test func aRemovalOfVeryMuchIsToldOnlyWithForce() throws {
            // As another program writes them.
            let notes = (1...22).map { #"{"id":"\#(UUID())","text":"\#($0)"}"# }
            try Data("[\(notes.joined(separator: ","))]".utf8)
                .write(to: first.folder.appending(path: "Project_Apollo/notes.json"))
            for store in [first, second] { try store.succeed("sync", shared) }
            try first.succeed("remove", "Apollo", "--force")
            let text = try first.succeed("sync", shared)
            #expect(text.contains("24 removals not told") && text.contains("--force"), "\(text)")
            #expect(try first.succeed("devices", shared).contains("this one"))
            try second.succeed("sync", shared)
            #expect(try second.projects().count == 1)
            try first.succeed("sync", shared, "--force")
            try second.succeed("sync", shared)
            #expect(try second.projects().isEmpty)
        }

        @Test func aWatchingStoreFollowsTheOther() throws {
            for store in [first, second] { try store.succeed("sync", shared) }
            let output = Pipe()
            let watching = try second.start(
                ["sync", shared, "--watch"], output: output.fileHandleForWriting)
            defer { watching.process.terminate() }
            try output.fileHandleForWriting.close()
            try first.succeed("new", "Gemini")
            try first.succeed("sync", shared)
            var text = ""
            while !text.contains("added Gemini") {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "it ended after: \(text)")
                text += String(decoding: data, as: UTF8.self)
            }
        }

        @Test func theFolderOfOthersIsRefused() throws {
            let others = first.parent.appending(path: "Others").path
            try first.succeed("sync", shared)
            try second.succeed("sync", others)
            #expect(try first.fail("sync", others).contains("never synced with"))
        }

        @Test func whatArrivesDamagedIsNamedAndWaitedFor() throws {
            try first.succeed("sync", shared)
            let folder = URL(filePath: shared).appending(path: "replicas")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            let name = try #require(names.first { $0.hasSuffix(".jsonl") })
            let file = folder.appending(path: name)
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: file)
            let outcome = try second.run("sync", shared)
            #expect(outcome.status == 0)
            let lines = outcome.error.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.first?.contains("waits for changes of") == true)
            #expect(lines.last?.contains("left alone replicas/\(name)") == true)
            // The device that wrote it notices.
            try first.succeed("sync", shared)
            #expect(try second.succeed("sync", shared).contains("changed 3 items here"))
        }

        @Test func theFolderIsNeitherInTheStoreNorAroundIt() throws {
            for folder in [first.folder.appending(path: "Shared"), first.parent] {
                #expect(try first.fail("sync", folder.path).contains("must not be in each other"))
            }
        }
    }
#endif
