import Foundation
import Testing

#if os(Linux) || os(macOS)
    struct BackupTests {
        let store: DemoStore
        /// The folder of the backup, which is missing at first.
        let backup: URL

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"], ["import", "Apollo", Fixtures.path(of: "moon.png")],
                ["note", "Apollo", "The Eagle has landed"],
            ])
            backup = store.parent.appending(path: "Backup", directoryHint: .isDirectory)
        }

        /// The visible files below a folder.
        private func files(_ folder: URL) throws -> [String: Data] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return paths.filter { !$0.hasPrefix(".") && !$0.contains("/.") }
                .reduce(into: [:]) { files, path in
                    files[path] = try? Data(contentsOf: folder.appending(path: path))
                }
        }

        @Test func lostStoreIsRestoredFromItsBackup() throws {
            #expect(try store.succeed("backup", backup.path).contains("1 project"))
            let saved = try files(backup)
            #expect(try saved == files(store.folder))
            #expect(saved.count == 4)
            try store.succeed("note", "Apollo", "Only in the store")
            try FileManager.default.removeItem(at: store.folder)
            #expect(try store.succeed("restore", backup.path).contains("1 project"))
            #expect(try files(store.folder) == saved)
            #expect(try store.succeed("verify").contains("agree"))
        }

        @Test func backupBringsAnEarlierOneUpToDate() throws {
            try store.succeed("backup", backup.path)
            try store.succeed("note", "Apollo", "Later")
            try store.succeed("backup", backup.path)
            #expect(try files(backup) == files(store.folder))
        }

        @Test func backupOverwritesNothingElse() throws {
            try store.succeed("backup", backup.path)
            try Data("mine".utf8).write(to: backup.appending(path: "mine.txt"))
            let saved = try files(backup)
            try store.succeed("note", "Apollo", "Later")
            #expect(try store.fail("backup", backup.path).contains("mine.txt"))
            #expect(try store.fail("backup", store.folder.path).contains("inside the store"))
            #expect(try files(backup) == saved)
            #expect(try store.fail("backup", store.parent.path).contains("there is something"))
        }

        @Test func backupInsideAProjectIsRefused() throws {
            let inside = store.folder.appending(path: "Project_Apollo/Backup").path
            #expect(try store.fail("backup", inside).contains("inside"))
        }

        @Test func backupAndRestoreInsideTheOwnStoreAreRefused() throws {
            let inside = store.folder.appending(path: "Backup")
            #expect(try store.fail("backup", inside.path).contains("inside the store"))
            #expect(!FileManager.default.fileExists(atPath: inside.path))
            let link = store.parent.appending(path: "link")
            try FileManager.default.createSymbolicLink(
                atPath: link.path, withDestinationPath: store.folder.path)
            #expect(try store.fail("backup", "\(link.path)/Backup").contains("inside the store"))
            let error = try store.fail("restore", store.folder.path)
            #expect(error.contains("it is inside the store"))
        }

        @Test func restoreReplacesAStoreOnlyIfItIsForced() throws {
            try store.succeed("backup", backup.path)
            let saved = try files(store.folder)
            try store.succeed("note", "Apollo", "Later")
            try store.succeed("new", "Gemini")
            let later = try files(store.folder)
            #expect(try store.fail("restore", backup.path).contains("already"))
            #expect(try files(store.folder) == later)
            try store.succeed("restore", backup.path, "--force")
            #expect(try files(store.folder) == saved)
            #expect(try store.succeed("verify").contains("agree"))
        }

        @Test func damagedBackupIsNotRestored() throws {
            try store.succeed("backup", backup.path)
            try store.succeed("note", "Apollo", "Later")
            let later = try files(store.folder)
            try Data("[{".utf8).write(to: backup.appending(path: "projects.json"))
            let error = try store.fail("restore", backup.path, "--force")
            #expect(error.contains("Restore from another copy."))
            #expect(try files(store.folder) == later)
        }

        @Test func anArchiveIsRestoredAndMergedAsABackupIs() throws {
            let archive = store.parent.appending(path: "store.zip").path
            #expect(try store.succeed("archive", archive).contains("1 project"))
            #expect(try store.fail("archive", archive).contains("there is something"))
            let inside = store.folder.appending(path: "a.zip").path
            #expect(try store.fail("archive", inside).contains("inside the store"))
            let saved = try files(store.folder)
            try store.succeed("note", "Apollo", "Later")
            try store.succeed("new", "Gemini")
            try store.succeed("restore", archive, "--force")
            #expect(try files(store.folder) == saved)
            #expect(try store.succeed("deleted").contains("project Gemini"))
            try store.succeed("remove", "Apollo", "--force")
            #expect(try store.succeed("merge", archive).contains("added 1 project"))
            #expect(
                try files(store.folder).filter { $0.key.contains("photos/") }
                    == saved.filter { $0.key.contains("photos/") })
            try store.expectConsistent()
        }

        @Test func mergeKeepsWhatIsHereUnlessItIsToTakeTheOther() throws {
            try store.succeed("backup", backup.path)
            try store.succeed("note", "Apollo", "Later")
            #expect(
                try store.succeed("merge", backup.path).contains(
                    "added 0 projects, kept 1 as they are here"))
            #expect(try store.succeed("notes", "Apollo").contains("Later"))
            #expect(
                try store.succeed("merge", backup.path, "--theirs").contains("replaced 1"))
            #expect(try !store.succeed("notes", "Apollo").contains("Later"))
            #expect(try store.succeed("deleted").contains("project Apollo"))
            try store.expectConsistent()
        }

        @Test func mergeGivesAProjectWithATakenNameAnotherOne() throws {
            try store.succeed("backup", backup.path)
            try store.succeed("remove", "Apollo", "--force")
            try store.succeed("new", "Apollo")
            try store.succeed("merge", backup.path)
            #expect(try store.projects().map(\.name) == ["Apollo", "Apollo (merged)"])
            // It is here already.
            try store.succeed("merge", backup.path)
            #expect(try store.projects().map(\.name) == ["Apollo", "Apollo (merged)"])
            let other = store.parent.appending(path: "Other").path
            try store.succeed("new", "Apollo", "--store", other)
            try store.succeed("merge", other)
            #expect(
                try store.projects().map(\.name) == [
                    "Apollo", "Apollo (merged)", "Apollo (merged) (merged)",
                ])
            try store.expectConsistent()
        }

        @Test func restoreFillsAnEmptyFolder() throws {
            try store.succeed("backup", backup.path)
            try FileManager.default.removeItem(at: store.folder)
            try FileManager.default.createDirectory(
                at: store.folder, withIntermediateDirectories: false)
            try store.succeed("restore", backup.path)
            #expect(try files(store.folder) == files(backup))
        }

        @Test func restoreAndMergeNameTheFilesThatTheyDidNotUse() throws {
            try store.succeed("backup", backup.path)
            let stray = backup.appending(path: "__MACOSX")
            try FileManager.default.createDirectory(at: stray, withIntermediateDirectories: false)
            for arguments in [["restore", backup.path, "--force"], ["merge", backup.path]] {
                let output = try store.succeed(arguments)
                #expect(output.contains("not used") && output.contains(stray.path), "\(output)")
            }
        }

        @Test func restoreNeedsABackup() throws {
            let other = store.parent.appending(path: "Other")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
            #expect(try store.fail("restore", other.path, "--force").contains("there is no copy"))
            #expect(try store.fail("restore", backup.path, "--force").contains("there is no copy"))
            #expect(try store.fail("restore", "").contains("empty"))
        }
    }
#endif
