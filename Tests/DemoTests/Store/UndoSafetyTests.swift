import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// What `undo` and its history keep when commands are killed, or others change the store.
    struct UndoSafetyTests {
        let store: DemoStore
        private var steps: URL { store.folder.appending(path: ".undo/steps.json") }

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"], ["new", "Gemini"],
                ["import", "Apollo", Fixtures.path(of: "moon.png")],
                ["note", "Apollo", "One small step"],
            ])
        }

        @Test func undoOfNewKeepsWhatOthersAddWhileItWaits() throws {
            try store.succeed("new", "Mercury")
            let lock = try HeldLock(store.folder.appending(path: ".projects.lock"))
            let undo = try store.start(["undo"])
            // Another program, so that nothing is recorded.
            let notes = store.folder.appending(path: "Project_Mercury/notes.json")
            try Data(#"[{"id":"\#(UUID())","text":"Seven"}]"#.utf8).write(to: notes)
            Thread.sleep(forTimeInterval: 0.2)
            lock.release()
            let outcome = try undo.outcome()
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("it was changed since; nothing was changed"))
            #expect(try store.projects().map(\.name) == ["Apollo", "Gemini", "Mercury"])
            #expect(try store.succeed("notes", "Mercury") == "1  Seven\n")
            try store.expectConsistent()
        }

        @Test func undoOfNewKeepsAFileThatSomebodyPutIntoTheFolder() throws {
            try store.succeed("new", "Mercury")
            let file = store.folder.appending(path: "Project_Mercury/plan.txt")
            try Data("orbit".utf8).write(to: file)
            try store.succeed("undo")
            #expect(try store.projects().map(\.name) == ["Apollo", "Gemini"])
            try store.succeed("bring-back", "1")
            #expect(try Data(contentsOf: file) == Data("orbit".utf8))
        }

        @Test func aKillBeforeARemovalIsRecordedLosesNothing() throws {
            let lock = try HeldLock(store.folder.appending(path: ".undo/.steps.lock"))
            let demo = try store.start(["remove", "Apollo", "moon.png"])
            while try store.photos(of: "Apollo").count > 0 { Thread.sleep(forTimeInterval: 0.01) }
            kill(demo.process.processIdentifier, SIGKILL)
            _ = try demo.outcome()
            lock.release()
            #expect(try store.photos(of: "Apollo").isEmpty)
            #expect(try store.succeed("bring-back", "1") == "Brought back the photo moon.png\n")
            try store.expectSources("Apollo")
        }

        @Test(
            arguments: Sweep.cases(
                [
                    ["new", "Mercury"], ["rename", "Apollo", "Apollo 11"],
                    ["note", "Gemini", "Two seats"],
                    ["remove-note", "Apollo", "1"],
                    ["import", "Gemini", Fixtures.path(of: "chelsea.jpg")],
                    ["move", "Apollo", "moon.png", "Gemini"], ["remove", "Apollo", "moon.png"],
                    ["remove", "Apollo", "--force"],
                ], sample: 3))
        func anUndoThatWasKilledBeforeItsEndIsDone(_ change: [String]) throws {
            try store.succeed(change)
            let known = try Data(contentsOf: steps)
            try store.succeed("undo")
            let projects = try store.projects()
            try known.write(to: steps)
            #expect(
                try store.succeed("undo").hasPrefix(
                    "Was undone already: \(change[0].prefix(6))"))
            #expect(try store.projects() == projects)
            #expect(try store.succeed("undo") == "Undone: note Apollo \"One small step\"\n")
            try store.expectConsistent()
        }

        @Test func aChangeThatCannotBeTakenBackCanBeSkipped() throws {
            try store.succeed("remove", "Gemini", "--force")
            let known = try Data(contentsOf: steps)
            try store.succeed("new", "Gemini")
            try known.write(to: steps)
            #expect(try store.fail("undo").hasSuffix("directory-demo undo --skip\n"))
            #expect(
                try store.succeed("undo", "--skip", "--dry-run") == "Would skip: remove Gemini\n")
            #expect(try store.succeed("undo", "--skip") == "Skipped: remove Gemini\n")
            #expect(try store.succeed("undo") == "Undone: note Apollo \"One small step\"\n")
        }

        /// As after a removal on a full volume, which keeps nothing.
        @Test func aRemovalForGoodIsNotPassedOver() throws {
            try store.succeed("remove", "Apollo", "moon.png")
            try FileManager.default.removeItem(
                at: store.folder.appending(path: "Project_Apollo/.removed"))
            #expect(
                try store.fail("undo").contains(
                    "cannot undo remove moon.png from Apollo: what was removed is no longer kept;"
                ))
            #expect(try store.succeed("undo", "--skip") == "Skipped: remove moon.png from Apollo\n")
            #expect(try store.succeed("undo") == "Undone: note Apollo \"One small step\"\n")
        }
    }
#endif
