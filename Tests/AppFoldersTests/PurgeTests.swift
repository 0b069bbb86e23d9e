import AppFolders
import Foundation
import Testing

private final class Files: Folder {}

struct PurgeTests {
    @Test func purgeDeletesOldFilesAndKeepsNewOnes() throws {
        try withRoot { root in
            let folder = root.tmp.url
            let old = [
                try folder.write("old", age: 7200), try folder.write("sub/old", age: 7200),
                try folder.write("gone/deep/old", age: 7200),
            ]
            let new = [try folder.write("new"), try folder.write("sub/new")]
            for sub in ["sub", "gone/deep", "gone"] {
                try folder.appending(path: sub).setAge(7200)
            }
            try root.tmp.purge(olderThan: .anHourAgo)
            #expect(old.allSatisfy { !$0.exists })
            #expect(new.allSatisfy { $0.exists })
            #expect(!folder.appending(path: "gone").exists)
        }
    }

    @Test func newFolderStaysAlthoughItIsEmpty() throws {
        try withRoot { root in
            let new = try root.tmp.appending(Files.self).create()
            try root.tmp.purge(olderThan: .anHourAgo)
            #expect(new.url.exists)
        }
    }

    @Test func purgeDeletesAllByDefaultAndKeepsTheFolder() throws {
        try withRoot { root in
            let caches = root.Library.Caches
            try caches.url.write("a/b/c")
            try caches.url.write(".hidden")
            try caches.purge()
            #expect(try FileManager.default.contentsOfDirectory(atPath: caches.url.path) == [])
        }
    }

    @Test func purgeOfAnOwnFolderKeepsItsSiblings() throws {
        try withRoot { root in
            let sibling = try root.tmp.url.write("sibling")
            let own = try root.tmp.appending(Files.self).create().url.write("own")
            try root.tmp.appending(Files.self).purge()
            #expect(sibling.exists && !own.exists)
        }
    }

    @Test func purgeOfAMissingFolderDoesNothing() throws {
        try withRoot { root in
            try root.tmp.purge()
            try root.tmp.appending(Files.self).purge()
            #expect(!root.tmp.url.exists)
        }
    }

    @Test func purgeDeletesLinksAndKeepsTheirTargets() throws {
        try withRoot { root in
            let precious = try root.Documents.url.write("precious", age: 7200)
            let links = ["toFile": precious, "toFolder": root.Documents.url]
            try root.tmp.create()
            for (name, target) in links {
                try FileManager.default.createSymbolicLink(
                    at: root.tmp.url.appending(path: name), withDestinationURL: target)
            }
            try root.tmp.purge()
            #expect(precious.exists)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.tmp.url.path) == [])
        }
    }

    @Test func ownFolderThatIsALinkIsNotPurged() throws {
        try withRoot { root in
            let precious = try root.Documents.url.write("precious")
            try root.tmp.create()
            try FileManager.default.createSymbolicLink(
                at: root.tmp.url.appending(path: "Files"), withDestinationURL: root.Documents.url)
            expect(.inTheWay) { try root.tmp.appending(Files.self).purge() }
            #expect(precious.exists)
        }
    }

    #if os(Linux) || os(macOS)
        @Test func purgeContinuesAfterAFailureAndThrowsIt() async {
            await #expect(processExitsWith: .success) {
                if geteuid() == 0 { setuid(65534) }  // the superuser can delete every file
                try withRoot { root in
                    let locked = try root.tmp.url.write("locked/file")
                    let others = try ["a", "z/z"].map { try root.tmp.url.write($0) }
                    chmod(locked.deletingLastPathComponent().path, 0o500)
                    let error = expect(.system) { try root.tmp.purge() }
                    chmod(locked.deletingLastPathComponent().path, 0o700)
                    #expect(error?.url == locked)
                    #expect(locked.exists && others.allSatisfy { !$0.exists })
                }
            }
        }
    #endif

    @Test func backedUpPlacesAreNotPurged() throws {
        try withRoot { root in
            let file = try root.Documents.url.write("file")
            expect(.notPurgeable) { try root.Documents.purge() }
            expect(.notPurgeable) { try root.Library.purge() }
            expect(.notPurgeable) { try root.Library.Application_Support.purge() }
            expect(.notPurgeable) { try root.Documents.appending(Files.self).purge() }
            #expect(file.exists)
        }
    }
}
