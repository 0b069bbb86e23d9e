import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct UndoTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"], ["new", "Gemini"],
                ["import", "Apollo"] + Fixtures.photos().map(\.path),
                ["note", "Apollo", "One small step"], ["note", "Apollo", "Back on Earth"],
            ])
        }

        @Test(
            arguments: Sweep.cases(
                [
                    ["new", "Mercury"], ["rename", "Apollo", "Apollo 11"],
                    ["note", "Gemini", "Two seats"],
                    ["remove-note", "Apollo", "1"],
                    ["import", "Gemini", Fixtures.path(of: "moon.png")],
                    ["move", "Apollo", "coffee.jpg", "Gemini"], ["remove", "Apollo", "coffee.jpg"],
                    ["remove", "Apollo", "--force"],
                ], sample: 3))
        func everyChangeIsTakenBack(_ change: [String]) throws {
            let before = try contents()
            try store.succeed(change)
            #expect(try contents() != before)
            #expect(try store.succeed("undo").hasPrefix("Undone: \(change[0].prefix(6))"))
            #expect(try contents() == before)
            try store.expectConsistent()
        }

        /// What the store has, without the spelling of its indexes and without the empty ones.
        private func contents() throws -> [String: NSObject] {
            var contents: [String: NSObject] = try store.files().reduce(into: [:]) { found, file in
                let isIndex = file.key.hasSuffix(".json")
                let json = isIndex ? try JSONSerialization.jsonObject(with: file.value) : nil
                found[file.key] = json as? NSObject ?? file.value as NSData
            }
            contents = contents.filter { $0.value != NSArray() }
            contents["projects"] = try "\(store.projects())" as NSString
            return contents
        }

        @Test func theNewestChangesAreTakenBackOneAfterTheOther() throws {
            try store.succeed("remove", "Apollo", "moon.png")
            try store.succeed("remove", "Apollo", "--force")
            for _ in 0..<7 { try store.succeed("undo") }
            #expect(try store.projects().isEmpty)
            #expect(try store.fail("undo").contains("there is nothing to undo"))
            try store.expectConsistent()
        }

        @Test func onlySomeChangesAreKept() throws {
            try store.succeed("remove", "Apollo", "--force")
            for number in 1...10 { try store.succeed("note", "Gemini", "\(number)") }
            for _ in 1...10 { try store.succeed("undo") }
            #expect(try store.fail("undo").contains("nothing to undo"))
            #expect(try store.succeed("deleted").contains("project Apollo"))
        }

        @Test(arguments: [
            (
                ["rename", "Gemini", "Mercury"], ["rename", "Mercury", "Vostok"],
                "was changed since"
            ),
            (["new", "Mercury"], ["note", "Mercury", "x"], "was changed since"),
            (
                ["move", "Apollo", "moon.png", "Gemini"], ["remove", "Gemini", "moon.png"],
                "was changed since"
            ),
            (
                ["remove", "Apollo", "moon.png"], ["remove", "Apollo", "--force"],
                "project was removed"
            ),
            (["remove", "Gemini", "--force"], ["new", "Gemini"], "already"),
        ])
        func whatOthersChangedSinceIsNotTakenBack(
            _ change: [String], _ other: [String], _ reason: String
        ) throws {
            try store.succeed(change)
            // The record of the other change is lost, as if another program had made it.
            let steps = store.folder.appending(path: ".undo/steps.json")
            let known = try Data(contentsOf: steps)
            try store.succeed(other)
            try known.write(to: steps)
            #expect(try store.fail("undo").contains(reason))
        }

        @Test func aChangeThatCannotBeRecordedIsMadeNevertheless() throws {
            let steps = store.folder.appending(path: ".undo/steps.json")
            try Data("[{".utf8).write(to: steps)
            let outcome = try store.run("note", "Gemini", "Two seats")
            #expect(outcome.status == 0)
            #expect(outcome.error.hasPrefix("directory-demo: this cannot be undone: "))
            #expect(outcome.error.contains(".undo/steps.json"))
            #expect(try store.projects().map(\.notes) == [2, 1])
        }

        @Test func aDamagedHistoryCanBeRemoved() throws {
            let folder = store.folder.appending(path: ".undo")
            try Data("[{".utf8).write(to: folder.appending(path: "steps.json"))
            #expect(
                try store.fail("undo").hasSuffix("To begin a new history, remove \(folder.path)\n"))
            try store.succeed("verify")
            try FileManager.default.removeItem(at: folder)
            try store.succeed("note", "Apollo", "Later")
            try store.succeed("undo")
            #expect(try store.fail("undo").contains("nothing to undo"))
        }

        @Test func aRemovalThatCannotBeRecordedCanBeBroughtBack() throws {
            try Data("[{".utf8).write(to: store.folder.appending(path: ".undo/steps.json"))
            let outcome = try store.run("remove", "Apollo", "moon.png")
            #expect(outcome.status == 0)
            #expect(outcome.error.hasPrefix("directory-demo: this cannot be undone: "))
            #expect(try store.projects().map(\.photos) == [7, 0])
            try store.succeed("bring-back", "1")
            #expect(try store.projects().map(\.photos) == [8, 0])
        }

        @Test func aBackupHasNoHistory() throws {
            let backup = store.parent.appending(path: "Backup").path
            try store.succeed("backup", backup)
            try FileManager.default.removeItem(at: store.folder)
            try store.succeed("restore", backup)
            #expect(try store.fail("undo").contains("nothing to undo"))
        }
    }

    struct WaitingTests {
        @Test func aCommandWaitsForAnotherProcess() throws {
            let store = try DemoStore(after: [["new", "Apollo"]])
            let lock = try HeldLock(store.folder.appending(path: ".projects.lock"))
            let demo = try store.start(["new", "Gemini"])
            Thread.sleep(forTimeInterval: 0.2)
            #expect(demo.process.isRunning)
            lock.release()
            #expect(try demo.outcome().status == 0)
            #expect(try store.projects().map(\.name) == ["Apollo", "Gemini"])
        }

        /// The first signal comes when the files are copied; the commit waits for the lock.
        @Test func aSecondSignalEndsAnImportThatWaits() throws {
            let store = try DemoStore(after: [
                ["new", "Apollo"], ["import", "Apollo", Fixtures.path(of: "moon.png")],
            ])
            let lock = try HeldLock(store.folder.appending(path: "Project_Apollo/.photos.lock"))
            let demo = try store.start(["import", "Apollo", Fixtures.path(of: "coffee.jpg")])
            _ = try demo.output.fileHandleForReading.read(upToCount: 1)
            while demo.process.isRunning {
                kill(demo.process.processIdentifier, SIGINT)
                Thread.sleep(forTimeInterval: 0.1)
            }
            #expect([SIGINT, 130].contains(try demo.outcome().status))
            lock.release()
            #expect(try store.projects().map(\.photos) == [1])
            try store.expectConsistent()
        }
    }
#endif
