import AppFolders
import Foundation
import Testing

@Suite struct FolderRootTests {
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

@Suite struct AppGroupTests {
    @Test func groupWithoutAnEntitlementThrows() {
        expect(.noGroup) { _ = try AppGroupContainer<Team>.baseURL }
        expect(.noGroup) { _ = try AppGroupContainer<Team>.Documents }
        expect(.noGroup) { _ = try AppGroupContainer<Team>.Library.Caches }
        let error = expect(.noGroup) { _ = try AppGroupContainer<Team>.tmp }
        #expect(error?.message.contains(Team.groupIdentifier) == true)
    }
}
