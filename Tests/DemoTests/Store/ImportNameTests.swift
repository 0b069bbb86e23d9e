import Foundation
import TestSupport
import Testing

// Other systems refuse names that are not UTF-8.
#if os(Linux)
    struct ImportNameTests {
        let store: DemoStore
        let folder: URL
        private var badPath: String { "\(folder.path)/bad\\xff.jpg" }
        private var badError: String {
            "directory-demo: cannot import \(badPath): its name is not valid UTF-8\n"
                + "Rename it, or leave it out with --skip-unsupported.\n"
        }

        /// A folder with the pictures `good.png`, `bad\xff.jpg` and `sub/fine.png`.
        init() throws {
            store = try DemoStore(after: [["new", "Apollo"]])
            folder = store.parent.appending(path: "in")
            let sub = folder.appending(path: "sub")
            try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
            try Fixtures.picture("good").write(to: folder.appending(path: "good.png"))
            try Fixtures.picture("fine").write(to: sub.appending(path: "fine.png"))
            try write(Fixtures.picture("bad"), "bad".utf8 + [0xFF] + ".jpg".utf8)
        }

        /// Writes a file with the bytes `name` as its name.
        private func write(_ data: Data, _ name: [UInt8]) throws {
            let new = folder.appending(path: "new")
            try data.write(to: new)
            let path = Array("\(folder.path)/".utf8) + name + [0]
            let status = path.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { path in
                    path.baseAddress.map { rename(new.path, $0) }
                }
            }
            try #require(status == 0)
        }

        private func names() throws -> [String] { try store.photos(of: "Apollo").map(\.name) }

        @Test func theOtherFilesAreImported() throws {
            let outcome = try store.run("import", "Apollo", folder.path)
            #expect(outcome.status == 1)
            #expect(outcome.output.hasSuffix("Imported 2 files, 20 B, into Apollo\n"))
            #expect(outcome.error == badError)
            #expect(try names() == ["good.png", "fine.png"])
            try store.expectConsistent()
            #expect(try store.succeed("undo").contains("import 2 files into Apollo"))
        }

        @Test func itCanBeLeftOut() throws {
            let output = try store.succeed("import", "Apollo", folder.path, "--skip-unsupported")
            #expect(output.hasSuffix("\nLeft out: \(badPath)\n"))
            #expect(try names() == ["good.png", "fine.png"])
        }

        @Test func aFileThatIsNoPictureIsLeftOutAsAnyOther() throws {
            try write(Data("text".utf8), Array("r".utf8) + [0xE9] + Array("sum\n.txt".utf8))
            try write(Fixtures.picture("hidden"), Array(".".utf8) + [0xFF])
            let outcome = try store.run("import", "Apollo", folder.path)
            #expect(outcome.error == badError)
            #expect(outcome.output.hasSuffix("\nLeft out: r\\xe9sum\\x0a.txt\n"))
        }

        @Test func aNameWithTheReplacementCharacterIsImported() throws {
            // The name that Foundation gives to the other file as well.
            let name = "bad\u{FFFD}.jpg"
            try Fixtures.picture("x").write(to: folder.appending(path: name))
            let outcome = try store.run("import", "Apollo", folder.path)
            #expect(outcome.error == badError)
            #expect(try names() == [name, "good.png", "fine.png"])
        }

        @Test func aFolderWithNothingElseHasNothingToImport() throws {
            for name in ["good.png", "sub"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            let outcome = try store.run("import", "Apollo", folder.path)
            #expect(outcome.status == 1)
            #expect(outcome.error == badError)
            let rest = try store.run("import", "Apollo", folder.path, "--skip-unsupported")
            #expect(
                rest.error == "directory-demo: there is nothing to import: "
                    + "no picture with a valid name was found\n")
        }

        @Test func theTreeNamesIt() throws {
            try store.succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            let place = store.folder.appending(path: "Project_Apollo/in")
            try FileManager.default.moveItem(at: folder, to: place)
            let outcome = try store.run("tree")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("good.png"))
            #expect(outcome.output.contains("moon.png, 29.7 KB"))
            #expect(
                outcome.error
                    == "directory-demo: cannot show \(place.path)/bad\\xff.jpg: "
                    + "its name is not valid UTF-8\n")
        }

        @Test func undoOfNewKeepsIt() throws {
            try store.succeed("new", "Gemini")
            let place = store.folder.appending(path: "Project_Gemini/photos")
            try FileManager.default.moveItem(at: folder, to: place)
            for name in ["good.png", "sub"] {
                try FileManager.default.removeItem(at: place.appending(path: name))
            }
            let outcome = try store.run("undo")
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("the project was changed"))
        }
    }
#endif
