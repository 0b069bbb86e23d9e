import AppFolders
import Foundation
import Testing

private enum Declared {
    @TaskLocal static var name = ""
}

private final class DeclaredFolder: Folder {
    override var folderName: String { Declared.name }
}

struct FolderNameTests {
    static let hostile = [
        "", ".", "..", "/", "//", "/etc", "a/", "/a", "a/b", "../a", "a/..", "a/../..", "./a",
        "../../../../etc/passwd", "\0", "a\0", "a\0b", "..\0", "a\0/b",
        "a/\u{301}b",  // one Character that is not a slash, but its first byte is
        "..\u{2F}\u{20DD}", "\u{0}\u{301}",
        String(repeating: "a", count: 256), String(repeating: "é", count: 128),
        String(repeating: "../", count: 2000),
    ]

    static let friendly = [
        "a", "...", "..a", "a..", ".hidden", " ", "~", "~root", "%2F", "%2e%2e", "a%00b", "a?b",
        "a#b", "a:b", "a\\b", "*", "a\nb", "-rf", "é", "e\u{301}", "日本語", "👩‍👩‍👧",
        "\u{2215}", "\u{FF0F}", "\u{2025}", "\u{202E}txt", "CON", "Caches", "Inbox",
        String(repeating: "a", count: 255),
    ]

    @Test(arguments: hostile) func hostileNameIsRefused(_ name: String) {
        expect(.invalidName) { _ = try AppFolder.tmp.appending(name) }
        expect(.invalidName) { try AppFolder.Documents.Inbox.delete(name) }
    }

    @Test(arguments: hostile) func hostileDeclarationStaysInItsParent(_ name: String) throws {
        try withRoot { root in
            Declared.$name.withValue(name) {
                let folder = root.tmp.appending(DeclaredFolder.self)
                let parent = root.tmp.url.path
                #expect(folder.url.path.hasPrefix(parent))
                let component = folder.url.path.dropFirst(parent.count).dropLast()
                #expect(!component.utf8.contains(UInt8(ascii: "/")))
                #expect((1...255).contains(component.utf8.count))
                #expect(!component.utf8.contains(0) && component != "." && component != "..")

                expect(.invalidName) { try folder.create() }
                expect(.invalidName) { try folder.purge() }
                expect(.invalidName) { try folder.excludeFromBackup() }
                expect(.invalidName) { try folder.appending(DeclaredFolder.self).create() }
                #expect(!root.tmp.url.exists)
            }
        }
    }

    @Test(arguments: friendly) func validNameIsOneFolderOnDisk(_ name: String) throws {
        try withRoot { root in
            let folder = try root.tmp.appending(name).create()
            let onDisk = try FileManager.default.contentsOfDirectory(atPath: root.tmp.url.path)
            #expect(onDisk.map { Array($0.utf8) } == [Array(name.utf8)])
            #expect(folder.folderName == name)
            #expect(folder.url.path == root.tmp.url.path + name + "/")
        }
    }

    @Test(arguments: ["Inbox", "inbox", "INBOX"])
    func inboxOfDocumentsIsReserved(_ name: String) {
        expect(.reservedName) { _ = try AppFolder.Documents.appending(name) }
        Declared.$name.withValue(name) {
            expect(.reservedName) {
                try AppFolder.Documents.appending(DeclaredFolder.self).create()
            }
        }
    }

    @Test(arguments: ["Caches", "caches", "Application Support", "application support"])
    func namesOfPlacesInLibraryAreReserved(_ name: String) {
        expect(.reservedName) { _ = try AppFolder.Library.appending(name) }
    }

    @Test(arguments: [
        ("a/b", "“a/b”"), ("..", "“..”"), ("Application Support", "“Application Support”"),
        ("caches", "“caches”"), ("", "a folder"), ("a\0b", "a folder"),
        (String(repeating: "a", count: 256), "a folder"),
    ]) func peopleReadTheNameAsItWasGiven(_ name: String, _ shown: String) throws {
        let error = try #require(throws: AppFolderError.self) {
            try AppFolder.Library.appending(name)
        }
        #expect(error.localizedDescription.hasPrefix("Cannot use \(shown): "))
        Declared.$name.withValue(name) {
            let declared = #expect(throws: AppFolderError.self) {
                try AppFolder.Library.appending(DeclaredFolder.self).create()
            }
            #expect(declared?.localizedDescription == error.localizedDescription)
        }
    }

    @Test func peopleReadTheNameOfAFileInTheInboxAsItWasGiven() throws {
        let error = try #require(throws: AppFolderError.self) {
            try AppFolder.Documents.Inbox.delete("a/b")
        }
        #expect(error.localizedDescription == "Cannot use “a/b”: its name is not valid.")
    }
}
