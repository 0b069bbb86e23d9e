import AppFolders
import Foundation
import Testing

private final class Files: Folder {}

struct CreateTests {
    @Test func namingCreatesNothing() throws {
        try withRoot { root in
            let folder = try root.Library.Caches.appending(Files.self).appending("Custom")
            _ = (folder.url, folder.subpath, folder.isBackedUp, folder.hashValue, URL(of: folder))
            _ = (root.Documents.Inbox.url, root.tmp.url, root.Library.Application_Support.url)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.baseURL.path) == [])
        }
    }

    @Test func createMakesTheFolderAndThoseAboveIt() throws {
        try withRoot { root in
            let folder = try root.Library.Caches.appending(Files.self).appending("Custom").create()
            #expect(folder.url.hasDirectoryPath && folder.url.exists)
            for url in [folder.url, root.Library.url] {
                let mode = try FileManager.default.attributesOfItem(atPath: url.path)
                #expect(mode[.posixPermissions] as? Int == 0o700)
            }
        }
    }

    @Test func createKeepsAFolderThatExists() throws {
        try withRoot { root in
            let file = try root.tmp.create().url.write("file")
            try root.tmp.create()
            #expect(file.exists)
        }
    }

    @Test func createThrowsIfAFileHasItsName() throws {
        try withRoot { root in
            let file = try root.tmp.url.write("Files")
            expect(.inTheWay) { try root.tmp.appending(Files.self).create() }
            #expect(file.exists)
        }
    }

    @Test func createThrowsIfAFileHasTheNameOfAFolderAboveIt() throws {
        try withRoot { root in
            try root.tmp.url.write("Files")
            let folder = root.tmp.appending(Files.self).appending(Files.self)
            expect(.inTheWay) { try folder.create() }
        }
    }

    @Test func messageOfARefusalHasOperationPathReasonAndRemedy() throws {
        try withRoot { root in
            var folder = root.tmp.appending(Files.self)
            for _ in 0..<20 {  // longer than the longest path
                folder = try folder.appending(String(repeating: "a", count: 255))
                    .appending(Files.self)
            }
            let error = expect(.system) { try folder.create() }
            #expect(error?.url == folder.url)
            let message = try #require(error?.message)
            for part in ["create", folder.url.path, "File name too long", "check"] {
                #expect(message.contains(part), "\(message)")
            }
        }
    }
}

struct InboxTests {
    @Test func inboxCanOnlyBeReadAndDeleted() throws {
        try withRoot { root in
            let inbox = root.Documents.Inbox
            #expect(!(inbox as Any is any WritablePlace))
            #expect(try inbox.files() == [])
            let file = try inbox.url.write("b.pdf")
            try inbox.url.write("a.pdf")
            #expect(try inbox.files().map(\.lastPathComponent) == ["a.pdf", "b.pdf"])
            try inbox.delete("b.pdf")
            #expect(!file.exists)
            expect(.notFound) { try inbox.delete("b.pdf") }
        }
    }

    @Test func deletingALinkKeepsItsTarget() throws {
        try withRoot { root in
            let precious = try root.baseURL.write("precious")
            let inbox = root.Documents.Inbox
            try inbox.url.write("a.pdf")
            try FileManager.default.createSymbolicLink(
                at: inbox.url.appending(path: "link"), withDestinationURL: precious)
            try inbox.delete("link")
            #expect(precious.exists)
            #expect(try inbox.files().count == 1)
        }
    }
}
