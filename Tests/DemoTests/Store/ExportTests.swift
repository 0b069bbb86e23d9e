import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct ExportTests {
        let store: DemoStore
        /// The folder to export to, which is missing at first.
        let folder: URL

        init() throws {
            store = try DemoStore(after: [["new", "Apollo"]])
            folder = store.parent.appending(path: "out", directoryHint: .isDirectory)
        }

        /// A file to import, outside the store.
        private func source(_ name: String, _ bytes: Data) throws -> String {
            let url = store.parent.appending(path: name)
            try (Fixtures.picture("") + bytes).write(to: url)
            return url.path
        }

        /// The names of the files in the folder of the export.
        private func exported() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        }

        @Test func exportNumbersTakenNamesAndOverwritesNothing() throws {
            let moon = Fixtures.path(of: "moon.png")
            try store.succeed(
                ["import", "Apollo"] + Fixtures.photos().map(\.path) + [moon])
            try store.succeed("note", "Apollo", "The Eagle has landed")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: folder.appending(path: "coffee.jpg"))
            try store.succeed("export", "Apollo", folder.path)

            #expect(
                try exported() == [
                    "astronaut.jpg", "camera.png", "chelsea.jpg", "coffee 2.jpg", "coffee.jpg",
                    "hubble.jpg", "moon 2.png", "moon.png", "notes.txt", "retina.jpg", "rocket.jpg",
                ])
            func data(of name: String) throws -> Data {
                try Data(contentsOf: folder.appending(path: name))
            }
            #expect(try data(of: "coffee.jpg") == Data("mine".utf8))
            #expect(try data(of: "coffee 2.jpg") == Fixtures.data(named: "coffee.jpg"))
            #expect(try data(of: "moon 2.png") == Fixtures.data(named: "moon.png"))
            #expect(try data(of: "notes.txt") == Data("The Eagle has landed\n".utf8))
        }

        @Test func exportedFilesStayInTheFolder() throws {
            try store.succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            let index = store.folder.appending(path: "Project_Apollo/photos.json")
            let json = try String(contentsOf: index, encoding: .utf8)
            let edited = json.replacing("\"moon.png\"", with: "\"../../moon.png\"")
            try Data(edited.utf8).write(to: index)
            try store.succeed("export", "Apollo", folder.path)
            #expect(try exported().count == 1)
            #expect(try exported()[0].hasSuffix("moon.png"))
        }

        @Test func exportOverwritesNeitherFoldersNorLinks() throws {
            let paths = try ["a.txt", "b.txt"].map { try source($0, Data($0.utf8)) }
            try store.succeed(["import", "Apollo"] + paths)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "a.txt"), withIntermediateDirectories: true)
            let link = folder.appending(path: "b.txt").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: paths[0])
            try store.succeed("export", "Apollo", folder.path)
            #expect(try exported() == ["a 2.txt", "a.txt", "b 2.txt", "b.txt"])
            #expect(try Data(contentsOf: URL(filePath: paths[0])) == Fixtures.picture("a.txt"))
        }

        @Test func longNamesAreCutBeforeTheirNumber() throws {
            let long = String(repeating: "e", count: 249)
            let path = try source(long + ".jpeg", Data([1]))
            try store.succeed("import", "Apollo", path, path, path)
            try store.succeed("export", "Apollo", folder.path)
            let names = [long, long.dropLast(2) + " 2", long.dropLast(2) + " 3"]
            #expect(try Set(exported()) == Set(names.map { "\($0).jpeg" }))
        }

        @Test func exportFollowsALinkToAFolderAndKeepsItsPermissions() throws {
            try store.succeed("import", "Apollo", source("a.txt", Data([1])))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #expect(chmod(folder.path, 0o755) == 0)
            let link = store.parent.appending(path: "link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out")
            try store.succeed("export", "Apollo", link)
            #expect(try exported() == ["a.txt"])
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect(attributes[.posixPermissions] as? Int == 0o755)
        }

        /// Shell commands that limit files to 1,024 blocks, of 512 or 1,024 bytes by shell.
        private let smallDisk = "trap '' XFSZ; ulimit -f 1024"

        @Test func aFailedExportKeepsExistingFiles() throws {
            let large = try source("b.bin", Data(count: 2 << 20))
            try store.succeed("import", "Apollo", source("a.txt", Data([1])), large)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: folder.appending(path: "a.txt"))
            let outcome = try store.start(
                ["export", "Apollo", folder.path], after: smallDisk
            ).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            let start = "directory-demo: cannot export to \(folder.path): cannot write b.bin: "
            #expect(outcome.error.hasPrefix(start))
            #expect(outcome.error.hasSuffix("File too large\n"))
            #expect(try exported() == ["a.txt"])
            #expect(try Data(contentsOf: folder.appending(path: "a.txt")) == Data("mine".utf8))
        }

        @Test func aFailedExportRemovesTheFoldersItMade() throws {
            let large = try source("b.bin", Data(count: 2 << 20))
            try store.succeed("import", "Apollo", source("a.txt", Data([1])), large)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = folder.appending(path: "new/newer").path
            let outcome = try store.start(["export", "Apollo", path], after: smallDisk).outcome()
            #expect(outcome.status == 1)
            #expect(try exported().isEmpty)
        }

        @Test func exportIntoAFileIsAnErrorWithItsPath() throws {
            let path = try source("a.txt", Data([1]))
            try store.succeed("import", "Apollo", path)
            #expect(
                try store.fail("export", "Apollo", path).contains("to \(path): it is not a folder"))
        }

        @Test func anEmptyProjectIsNotExportedIntoAFile() throws {
            let path = try source("a.txt", Data([1]))
            #expect(try store.fail("export", "Apollo", path).contains("it is not a folder"))
        }

        @Test func aPhotoWithoutItsFileIsNamed() throws {
            try store.succeed("import", "Apollo", Fixtures.path(of: "moon.png"))
            let photo = try store.photos(of: "Apollo")[0]
            try FileManager.default.removeItem(at: store.folder.appending(path: photo.path))
            #expect(
                try store.fail("export", "Apollo", folder.path)
                    .contains("there is no file \(photo.id.uuidString).png"))
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }

        @Test func aFolderThatCannotBeMadeIsNamed() throws {
            let path = try source("a.txt", Data([1]))
            try store.succeed("import", "Apollo", path)
            let error = try store.fail("export", "Apollo", "\(path)/out")
            #expect(error.hasPrefix("directory-demo: cannot export to \(path)/out: "))
            #expect(error.hasSuffix("a file is where a folder must be\n"))
        }
    }
#endif
