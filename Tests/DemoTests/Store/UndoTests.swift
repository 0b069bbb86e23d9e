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

        /// What the store has, without the spelling of its files.
        private func contents() throws -> [String] {
            let projects = try store.projects()
            let bytes = try store.files().filter { $0.key.contains("/photos/") }
                .map { "\($0.key) \($0.value.hashValue)" }
            return try ["\(projects)"]
                + projects.map {
                    try store.succeed("photos", $0.name) + store.succeed("notes", $0.name)
                }
                + bytes.sorted()
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
            (["rename", "Gemini", "Mercury"], ["rename", "Mercury", "Vostok"], "was changed"),
            (["new", "Mercury"], ["note", "Mercury", "x"], "was changed"),
            (
                ["move", "Apollo", "moon.png", "Gemini"], ["remove", "Gemini", "moon.png"],
                "changed or removed"
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

        @Test func aDamagedHistoryIsSetAside() throws {
            let name = "steps.json"
            try store.succeed("remove", "Apollo", "moon.png")
            try store.succeed("remove", "Gemini", "--force")
            let index = store.folder.appending(path: ".undo/\(name)")
            try Data("[{".utf8).write(to: index)
            let photo = try store.photos(of: "Apollo")[0]
            try FileManager.default.removeItem(at: store.folder.appending(path: photo.path))
            let findings = try store.run("verify")
            #expect(findings.status == 1)
            #expect(findings.output.contains(photo.path))
            #expect(findings.error.contains(index.path))
            #expect(try store.fail("undo").hasSuffix("directory-demo verify --repair\n"))
            let repaired = try store.succeed("verify", "--repair")
            #expect(repaired.contains("It was set aside as \(name).damaged-"))
            try store.succeed("verify")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: index.deletingLastPathComponent().path)
            #expect(names.contains { $0.hasPrefix("\(name).damaged-") })
            try store.succeed("note", "Apollo", "Later")
            try store.succeed("undo")
        }

        @Test func jsonNamesADamagedHistoryThatIsSetAside() throws {
            let steps = store.folder.appending(path: ".undo/steps.json")
            try Data("[{".utf8).write(to: steps)
            struct Record: Decodable { let setAside: [String] }
            let record: Record = try DemoStore.decode(store.succeed("verify", "--repair", "--json"))
            #expect(record.setAside == [steps.path])
            let again: Record = try DemoStore.decode(store.succeed("verify", "--repair", "--json"))
            #expect(again.setAside.isEmpty)
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
        @Test func aWaitForAnotherProcessIsTold() throws {
            let store = try DemoStore()
            try store.succeed("new", "Apollo")
            let lock = try HeldLock(store.folder.appending(path: ".projects.lock"))
            let demo = try store.start(["new", "Gemini"])
            try demo.expectWait(for: "projects.json")
            lock.release()
            #expect(try demo.outcome().status == 0)
            #expect(try store.projects().map(\.name) == ["Apollo", "Gemini"])
        }

        /// The signal comes when the files are copied, and the commit waits.
        @Test(arguments: Sweep.cases([(SIGINT, Int32(130)), (SIGTERM, Int32(143))], sample: 1))
        func aSignalEndsAnImportThatWaits(_ signal: Int32, _ status: Int32) throws {
            let store = try DemoStore()
            try store.succeed("new", "Apollo")
            try store.succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            let lock = try HeldLock(store.folder.appending(path: "Project_Apollo/.photos.lock"))
            defer { lock.release() }
            let demo = try store.start(["import", "Apollo", Fixtures.path(of: "coffee.jpg")])
            try demo.expectWait(for: "Project_Apollo/photos.json")
            kill(demo.process.processIdentifier, signal)
            let outcome = try demo.outcome()
            #expect(outcome.status == status)
            #expect(outcome.error.contains("cancelled"))
            // Each file was copied once.
            #expect(outcome.output.split(separator: "\n").count == 1)
            #expect(try store.projects().map(\.photos) == [1])
        }
    }
#endif
