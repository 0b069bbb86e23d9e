import Foundation
import Testing

@testable import AppFolders

struct FolderRootTests {
    @Test func ownRootHasTheSamePlaces() throws {
        let root = try FolderRoot(at: URL(filePath: "/srv/vault"))
        #expect(root.baseURL.path == "/srv/vault/")
        #expect(root.Documents.url.path == "/srv/vault/Documents/")
        #expect(root.Documents.Inbox.url.path == "/srv/vault/Documents/Inbox/")
        #expect(root.Library.url.path == "/srv/vault/Library/")
        #expect(root.Library.Caches.url.path == "/srv/vault/Library/Caches/")
        #expect(
            root.Library.Application_Support.url.path == "/srv/vault/Library/Application Support/")
        #expect(root.tmp.url.path == "/srv/vault/tmp/")
    }

    @Test(arguments: ["https://example.com/a", "relative", "file:relative", "file:///a%00b"])
    func onlyAnAbsoluteFileURLIsARoot(_ string: String) throws {
        let url = try #require(URL(string: string))
        expect(.invalidRoot) { _ = try FolderRoot(at: url) }
    }
}

private enum Team: AppGroup {
    static let groupIdentifier = "group.com.example.directory.none"
}

struct AppGroupTests {
    @Test func groupWithoutAnEntitlementThrows() {
        expect(.noGroup) { _ = try AppGroupContainer<Team>.baseURL }
        expect(.noGroup) { _ = try AppGroupContainer<Team>.Documents }
        expect(.noGroup) { _ = try AppGroupContainer<Team>.Library.Caches }
        let error = expect(.noGroup) { _ = try AppGroupContainer<Team>.tmp }
        #expect(error?.message.contains(Team.groupIdentifier) == true)
    }

    @Test func containerOfAGroupIsAFolderThatCanBeUsed() throws {
        try withRoot { root in
            let file = try root.baseURL.write("file")
            #expect(root.baseURL.isUsableFolder)
            #expect(!file.isUsableFolder)
            #expect(!root.baseURL.appending(path: "missing").isUsableFolder)
        }
    }

    #if os(Linux) || os(macOS)
        @Test func containerThatCannotBeOpenedOrWrittenIntoIsNotUsed() async {
            await #expect(processExitsWith: .success) {
                if geteuid() == 0 { setuid(65534) }  // the superuser can open every folder
                try withRoot { root in
                    for mode: mode_t in [0o000, 0o300, 0o500] {
                        let folder = root.baseURL.appending(path: "\(mode)")
                        mkdir(folder.path, 0o700)
                        chmod(folder.path, mode)
                        #expect(!folder.isUsableFolder)
                    }
                }
            }
        }
    #endif
}
