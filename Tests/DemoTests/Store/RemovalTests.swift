import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct RemovalTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"], ["import", "Apollo", Fixtures.path(of: "moon.png")],
                ["note", "Apollo", "One small step"],
            ])
        }

        @Test func aWholeProjectIsRemovedOnlyByForceInAScript() throws {
            let error = try store.fail("remove", "Apollo")
            #expect(
                error == """
                    directory-demo: this would remove Apollo with 1 photo and 1 note
                    Use --force to do it.

                    """)
            try store.succeed("remove", "Apollo", "--force")
            #expect(try store.projects().isEmpty)
        }

        @Test(arguments: [
            ("y\n", true), ("yes\n", true), ("\n", false), ("n\n", false), ("\u{4}", false),
        ])
        func aPersonIsAskedBeforeAWholeProjectIsRemoved(_ answer: String, isRemoved: Bool) throws {
            let (text, status) = try store.show("remove", "Apollo", typing: answer)
            #expect(text.contains("Remove Apollo with 1 photo and 1 note? [y/N] "))
            #expect(status == (isRemoved ? 0 : 1))
            #expect(try store.projects().isEmpty == isRemoved)
        }

        @Test func aPhotoIsRemovedWithoutAQuestion() throws {
            try store.succeed("remove", "Apollo", "moon.png")
            #expect(try store.photos(of: "Apollo").isEmpty)
        }

        @Test func aDryRunChangesNothing() throws {
            let before = try store.files()
            let photo = try store.succeed("remove", "Apollo", "moon.png", "--dry-run")
            #expect(photo == "Would remove moon.png from Apollo\n")
            let project = try store.succeed("remove", "Apollo", "--dry-run")
            #expect(project == "Would remove Apollo with 1 photo and 1 note\n")
            let undo = try store.succeed("undo", "--dry-run")
            #expect(undo == "Would undo: note Apollo \"One small step\"\n")
            #expect(try store.files() == before)
        }

        @Test func aPhotoWithoutItsFileCanBeRemoved() throws {
            let photo = try store.photos(of: "Apollo")[0]
            try FileManager.default.removeItem(at: store.folder.appending(path: photo.path))
            #expect(try store.run("remove", "Apollo", "moon.png").status == 0)
            try store.expectConsistent()
        }
    }

    struct NoteTests {
        let store: DemoStore

        init() throws {
            let notes = ["One", "Two", "Three"].map { ["note", "Apollo", $0] }
            store = try DemoStore(after: [["new", "Apollo"]] + notes)
        }

        @Test func notesHaveNumbers() throws {
            #expect(try store.succeed("notes", "Apollo") == "1  One\n2  Two\n3  Three\n")
        }

        @Test func theTextOfANoteIsNotChangedInJSON() throws {
            for text in ["[ ]", "[\n]"] { try store.succeed("note", "Apollo", text) }
            struct Note: Decodable { let text: String }
            let notes: [Note] = try DemoStore.decode(store.succeed("notes", "Apollo", "--json"))
            #expect(notes.map(\.text) == ["One", "Two", "Three", "[ ]", "[\n]"])
        }

        @Test func aNoteIsRemovedByItsNumberOrID() throws {
            struct Note: Decodable { let id: UUID, text: String }
            let notes: [Note] = try DemoStore.decode(store.succeed("notes", "Apollo", "--json"))
            try store.succeed("remove-note", "Apollo", "2")
            try store.succeed("remove-note", "Apollo", notes[2].id.uuidString)
            #expect(try store.succeed("notes", "Apollo") == "1  One\n")
        }

        @Test(arguments: ["0", "4", "-1", "x", "99999999999999999999", ""])
        func otherNumbersAreRefused(_ number: String) throws {
            let error = try store.fail("remove-note", "Apollo", "--", number)
            #expect(error.contains("there is no note \(number) in Apollo\n"))
        }

        @Test func statsHaveBars() throws {
            try store.succeed("new", "Gemini")
            try store.succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            let lines = try store.succeed("stats").split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[0].hasPrefix("Apollo    29.7 KB  ━━━━"))
            #expect(lines[0].hasSuffix("━  1 photo, 3 notes"))
            #expect(lines[1].hasPrefix("Gemini        0 B  ····"))
            #expect(lines[2] == "2 projects, 29.7 KB of photos")
        }
    }
#endif
