import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// Projects of one name that are removed one after the other, and are all kept for `undo`.
    struct SameNameTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore()
        }

        /// Makes and removes three projects called Apollo, whose notes are 1, 2 and 3.
        private func removeThree() throws {
            try store.begin(
                after: (1...3).flatMap { number in
                    [
                        ["new", "Apollo"], ["note", "Apollo", "\(number)"],
                        ["remove", "Apollo", "--force"],
                    ]
                })
        }

        @Test func undoBringsBackEachOfThem() throws {
            try removeThree()
            for number in [3, 2, 1] {
                try store.succeed("undo")
                #expect(try store.succeed("notes", "Apollo") == "1  \(number)\n")
                #expect(try store.projects().map(\.folder) == ["Project_Apollo"])
                try store.expectConsistent()
                for _ in ["note", "new"] { try store.succeed("undo") }
                #expect(try store.projects().isEmpty)
            }
            #expect(try store.fail("undo").contains("nothing to undo"))
        }

        @Test func theOldestComesBackIfTheOthersAreSkipped() throws {
            try removeThree()
            for _ in 1...6 { try store.succeed("undo", "--skip") }
            try store.succeed("undo")
            #expect(try store.succeed("notes", "Apollo") == "1  1\n")
            #expect(try store.projects().map(\.folder) == ["Project_Apollo"])
            try store.succeed("remove", "Apollo", "--force")
            try store.succeed("undo")
            #expect(try store.succeed("notes", "Apollo") == "1  1\n")
            try store.expectConsistent()
        }

        @Test func aProjectOfTheSameNameCanBeMadeAndTakenBack() throws {
            try store.begin(after: [
                ["new", "Apollo"], ["note", "Apollo", "One small step"],
                ["remove", "Apollo", "--force"],
            ])
            // The same folder name on a volume that ignores case.
            for name in ["Apollo", "APOLLO"] {
                try store.succeed("new", name)
                #expect(try store.succeed("undo") == "Undone: new \(name)\n")
            }
            try store.succeed("undo")
            #expect(try store.succeed("notes", "Apollo") == "1  One small step\n")
            try store.expectConsistent()
        }

        @Test func anUndoOfNewThatWasKilledIsDone() throws {
            try store.begin(after: [["new", "Apollo"]])
            let steps = store.folder.appending(path: ".undo/steps.json")
            let known = try Data(contentsOf: steps)
            try store.succeed("undo")
            try known.write(to: steps)
            #expect(try store.succeed("undo") == "Was undone already: new Apollo\n")
        }

        @Test func bringBackGivesAnotherNameIfTheOldOneIsTaken() throws {
            try removeThree()
            // The oldest is the last one each time.
            for last in [3, 2, 1] { try store.succeed("bring-back", "\(last)") }
            #expect(
                try Set(store.projects().map(\.name)) == [
                    "Apollo", "Apollo (restored)", "Apollo (restored) (restored)",
                ])
            #expect(try store.succeed("notes", "Apollo") == "1  1\n")
            try store.expectConsistent()
        }
    }
#endif
