import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// A project that cannot be read hides none of the others.
    struct UnreadableProjectTests {
        enum Damage: CaseIterable { case index, link, file }

        let store: DemoStore
        let broken: URL

        init() throws {
            store = try DemoStore(after: [
                ["new", "Broken"], ["new", "Apollo"], ["note", "Broken", "Lost"],
                ["note", "Apollo", "One small step"],
                ["import", "Broken", Fixtures.path(of: "coffee.jpg")],
                ["import", "Apollo", Fixtures.path(of: "moon.png")],
            ])
            broken = store.folder.appending(path: "Project_Broken")
        }

        /// Makes the project Broken one that cannot be read.
        private func `break`(by damage: Damage) throws {
            let manager = FileManager.default
            switch damage {
            case .index: try Data("[{".utf8).write(to: broken.appending(path: "notes.json"))
            case .link:
                let away = store.parent.appending(path: "away")
                try manager.moveItem(at: broken, to: away)
                try manager.createSymbolicLink(at: broken, withDestinationURL: away)
            case .file:
                try manager.removeItem(at: broken)
                try Data("x".utf8).write(to: broken)
            }
        }

        /// Runs a command that must name the project Broken and fail at its end, and returns its output.
        private func show(_ arguments: String..., lines: Int = 1) throws -> String {
            let outcome = try store.start(arguments).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.error.hasPrefix("directory-demo: project Broken: cannot "))
            #expect(outcome.error.contains(broken.path))
            #expect(outcome.error.filter { $0 == "\n" }.count == lines)
            return outcome.output
        }

        @Test(arguments: Damage.allCases)
        func theOthersAreShown(_ damage: Damage) throws {
            try `break`(by: damage)
            #expect(try show("list") == "Apollo  1 photo, 1 note  Project_Apollo\n")
            let rows: [DemoStore.Project] = try DemoStore.decode(show("list", "--json"))
            #expect(rows.map(\.name) == ["Apollo"])
            #expect(try show("stats").hasSuffix("\n1 project, 29.7 KB of photos\n"))
            let page = try show("gallery", "--output", "-")
            #expect(page.contains("One small step") && page.contains("moon.png"))
            // What is in place of the folder is a problem too, and problems are counted at the end.
            let verified = try show("verify", lines: damage == .index ? 1 : 2)
            #expect(!verified.contains("agree"))
            #expect(try store.succeed("list", "--names") == "Broken\nApollo\n")
        }

        @Test func thePageIsWritten() throws {
            try `break`(by: .index)
            let page = store.parent.appending(path: "page.html")
            #expect(try show("gallery", "--output", page.path).hasPrefix("Made "))
            #expect(try String(contentsOf: page, encoding: .utf8).contains("One small step"))
        }

        /// The photos of the project can be read if only its notes are damaged.
        @Test(arguments: [Damage.link, .file])
        func theTreeHasAllFiles(_ damage: Damage) throws {
            try `break`(by: damage)
            let tree = try show("tree")
            #expect(tree.contains("├── Project_Broken"))
            #expect(tree.contains("moon.png, 29.7 KB"))
        }

        @Test func verifyStillFindsWhatTheOthersHave() throws {
            try `break`(by: .index)
            let path = try #require(store.photos(of: "Apollo").first).path
            try FileManager.default.removeItem(at: store.folder.appending(path: path))
            let outcome = try store.run("verify")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains(path))
            #expect(outcome.error.contains("project Broken: "))
            #expect(outcome.error.hasSuffix("directory-demo: verify found 1 problem\n"))
        }

        @Test func aStoreWithNothingElseIsNotSaidToBeEmpty() throws {
            try store.succeed("remove", "Apollo", "--force")
            try `break`(by: .index)
            for command in ["list", "stats"] { #expect(try show(command) == "") }
            #expect(try show("list", "--json") == "[]\n")
        }

        @Test(arguments: Damage.allCases)
        func anotherProjectIsRemoved(_ damage: Damage) throws {
            try `break`(by: damage)
            try store.succeed("remove", "Apollo", "--force")
            #expect(try store.succeed("list", "--names") == "Broken\n")
            try store.succeed("undo")
            #expect(try store.succeed("notes", "Apollo") == "1  One small step\n")
        }

        @Test(arguments: Damage.allCases)
        func itCanBeRemoved(_ damage: Damage) throws {
            try `break`(by: damage)
            let question = try store.run("remove", "Broken")
            #expect(question.status == 1)
            #expect(question.error.contains("this would remove Broken, which cannot be read\n"))
            #expect(question.error.contains(broken.path))
            let output = try store.succeed("remove", "Broken", "--force")
            #expect(try store.projects().map(\.name) == ["Apollo"])
            #expect(output == "Removed Broken\n")
            if damage != .index {
                let error = try store.fail("undo")
                #expect(error.contains("\(broken.path): the name is taken"))
                try FileManager.default.removeItem(at: broken)
            }
            try store.succeed("undo")
            #expect(try store.succeed("list", "--names") == "Broken\nApollo\n")
        }
    }
#endif
