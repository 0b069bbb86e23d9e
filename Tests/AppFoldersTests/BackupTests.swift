import AppFolders
import Foundation
import Testing

private final class Files: Folder {}

struct BackupTests {
    #if canImport(Darwin)
        @Test func excludeSetsTheResourceValue() throws {
            try withRoot { root in
                let folder = try root.Documents.appending(Files.self).create()
                try folder.excludeFromBackup()
                let values = try folder.url.resourceValues(forKeys: [.isExcludedFromBackupKey])
                #expect(values.isExcludedFromBackup == true)
            }
        }
    #else
        static let signature = "Signature: 8a477f597d28d172789f06886806bc55"

        @Test func excludeWritesACacheDirectoryTag() throws {
            try withRoot { root in
                let folder = try root.Documents.appending(Files.self).create()
                try folder.excludeFromBackup()
                let tag = try Data(contentsOf: folder.url.appending(path: "CACHEDIR.TAG"))
                #expect(tag.prefix(43) == Data(Self.signature.utf8))
            }
        }

        @Test func tarLeavesOutAnExcludedFolder() throws {
            try withRoot { root in
                try root.Documents.url.write("kept")
                let folder = try root.Documents.appending(Files.self).create()
                try folder.url.write("left out")
                try folder.excludeFromBackup()
                let list = try output(
                    of: "tar", "--exclude-caches-all", "-cvf", "/dev/null", "-C",
                    root.Documents.url.path, ".")
                #expect(list.contains("./kept"))
                #expect(!list.contains("Files"))
            }
        }

        @Test func excludingTwiceChangesNothing() throws {
            try withRoot { root in
                let tag = try root.tmp.url.write("CACHEDIR.TAG")
                try Data("\(Self.signature)\n# by hand".utf8).write(to: tag)
                try root.tmp.excludeFromBackup()
                #expect(try String(contentsOf: tag, encoding: .utf8).hasSuffix("by hand"))
            }
        }

        @Test func otherFileWithTheNameOfTheTagIsKept() throws {
            try withRoot { root in
                let tag = try root.tmp.url.write("CACHEDIR.TAG")
                expect(.inTheWay) { try root.tmp.excludeFromBackup() }
                #expect(try String(contentsOf: tag, encoding: .utf8) == "CACHEDIR.TAG")
            }
        }

        @Test func linkInPlaceOfTheTagIsKept() throws {
            try withRoot { root in
                let target = try root.baseURL.write("target")
                try root.tmp.create()
                try FileManager.default.createSymbolicLink(
                    at: root.tmp.url.appending(path: "CACHEDIR.TAG"), withDestinationURL: target)
                expect(.inTheWay) { try root.tmp.excludeFromBackup() }
                #expect(try String(contentsOf: target, encoding: .utf8) == "target")
            }
        }

        @Test func purgeKeepsTheTagUntilItsFolderIsRemoved() throws {
            try withRoot { root in
                let folder = try root.tmp.appending(Files.self).create()
                try folder.excludeFromBackup()
                let tag = folder.url.appending(path: "CACHEDIR.TAG")
                try folder.purge()
                #expect(tag.exists)
                try root.tmp.purge()
                #expect(!folder.url.exists)
            }
        }

        private func output(of command: String...) throws -> String {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command
            process.standardOutput = pipe
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return String(decoding: data, as: UTF8.self)
        }
    #endif

    @Test func folderThatDoesNotExistCannotBeExcluded() throws {
        try withRoot { root in
            expect(.notFound) { try root.tmp.excludeFromBackup() }
            #expect(!root.tmp.url.exists)
        }
    }
}
