import FileSystem
import Foundation
import TestSupport
import Testing

struct FolderIdentityTests {
    private let temporary: TemporaryFolder
    private let path: String

    init() throws {
        temporary = try TemporaryFolder()
        path = temporary.url.path(percentEncoded: false)
    }

    @Test func folderWithAnOlderDateIsTheSameFolder() throws {
        let files = LocalFileSystem()
        let before = try files.status(of: files.openFolder(at: path)).identity
        try setModificationTime(of: temporary.url, toSeconds: 86_400)
        #expect(try files.status(of: files.openFolder(at: path)).identity == before)
    }

    /// On APFS an older date of the last write becomes that of the birth, too.
    @Test(arguments: [true, false])
    func birthIsPartOfAFoldersIdentityOnlyIfItCannotBeChanged(_ birthIsFixed: Bool) throws {
        let files = LocalFileSystem(calls: VolumeCalls(birthIsFixed: birthIsFixed))
        let found = try files.status(of: files.openFolder(at: path))
        let birth = try #require(found.created).nanosecondsSince1970
        #expect(found.identity.born == (birthIsFixed ? birth : 0))
        #expect(try found.identity == files.status(of: files.openFolder(at: path)).identity)
    }
}
