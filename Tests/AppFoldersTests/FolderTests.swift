import AppFolders
import Foundation
import Testing

extension Library.Application_Support {
    fileprivate final class Files: Folder {}
    fileprivate var Files: Files { subfolder() }
}

extension Library.Application_Support.Files {
    fileprivate final class User_Photos: Folder {}
    fileprivate nonisolated var User_Photos: User_Photos { subfolder() }
}

extension Documents {
    fileprivate final class User: Folder {}
    fileprivate func User(_ id: Int) throws -> User { try subfolder(named: "User-\(id)") }
}

struct FolderTests {
    let support = AppFolder.Library.Application_Support

    @Test func ownFolderIsAPropertyOfItsParent() {
        #expect(support.Files.folderName == "Files")
        #expect(support.Files.subpath == "Library/Application Support/Files")
        #expect(support.Files.url == support.url.appending(path: "Files/"))
    }

    @Test func appendingAClassIsTheSameAsItsProperty() {
        let files: Library.Application_Support.Files = support.appending(
            Library.Application_Support.Files.self)
        #expect(files == support.Files)
    }

    @Test func underscoresOfTheClassAreSpacesInTheName() {
        #expect(support.Files.User_Photos.folderName == "User Photos")
        #expect(
            support.Files.User_Photos.subpath == "Library/Application Support/Files/User Photos")
    }

    @Test func classesInFunctionsAndRawIdentifiersNameFolders() {
        final class In_Function: Folder {}
        final class `3D Models`: Folder {}
        #expect(support.appending(In_Function.self).folderName == "In Function")
        #expect(support.appending(`3D Models`.self).folderName == "3D Models")
    }

    @Test func overriddenFolderNameIsUsed() {
        final class Renamed: Folder {
            override var folderName: String { "Custom" }
        }
        #expect(support.appending(Renamed.self).subpath == "Library/Application Support/Custom")
        #expect(support.appending(Renamed.self).folderName == "Custom")
    }

    @Test func appendingANameGivesAFolderOfThatName() throws {
        let custom = try support.appending("Custom").appending("a.b c")
        #expect(custom.subpath == "Library/Application Support/Custom/a.b c")
        #expect(custom.url.path == support.url.path + "Custom/a.b c/")
    }

    @Test func folderKeepsItsState() throws {
        #expect(try AppFolder.Documents.User(5).subpath == "Documents/User-5")
        #expect(try AppFolder.Documents.User(5) != AppFolder.Documents.User(6))
    }

    @Test func ownFoldersAreInEveryRoot() throws {
        let root = try FolderRoot(at: URL(filePath: "/srv/vault"))
        #expect(
            root.Library.Application_Support.Files.url.path
                == "/srv/vault/Library/Application Support/Files/")
    }
}
