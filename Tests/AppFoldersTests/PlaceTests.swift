import AppFolders
import Foundation
import Testing

struct PlaceTests {
    @Test func placesOfTheAppAreTheFoldersOfFileManager() {
        let manager = FileManager.default
        func path(_ directory: FileManager.SearchPathDirectory) -> String? {
            manager.urls(for: directory, in: .userDomainMask).first.map { $0.path + "/" }?
                .replacing("//", with: "/")
        }
        #if canImport(Darwin)
            #expect(AppFolder.Documents.url.path == path(.documentDirectory))
        #endif
        #expect(AppFolder.Library.Caches.url.path == path(.cachesDirectory))
        #expect(
            AppFolder.Library.Application_Support.url.path == path(.applicationSupportDirectory))
        #expect(AppFolder.tmp.url.path == manager.temporaryDirectory.path)
        #expect(AppFolder.baseURL.path == NSHomeDirectory() + "/")
    }

    @Test func subpathsAreTheSameOnEveryPlatform() {
        #expect(AppFolder.Documents.subpath == "Documents")
        #expect(AppFolder.Documents.Inbox.subpath == "Documents/Inbox")
        #expect(AppFolder.Library.subpath == "Library")
        #expect(AppFolder.Library.Caches.subpath == "Library/Caches")
        #expect(
            AppFolder.Library.Application_Support.subpath == "Library/Application Support")
        #expect(AppFolder.tmp.subpath == "tmp")
    }

    @Test func folderNameIsTheLastComponent() {
        #expect(AppFolder.Documents.folderName == "Documents")
        #expect(AppFolder.Library.Caches.folderName == "Caches")
        #expect(AppFolder.Library.Application_Support.folderName == "Application Support")
        #expect(AppFolder.tmp.folderName == "tmp")
    }

    @Test func baseURLIsTheRootsForEveryPlace() {
        #expect(AppFolder.Library.Caches.baseURL == AppFolder.baseURL)
        #expect(AppFolder.tmp.appending(Files.self).baseURL == AppFolder.baseURL)
    }

    @Test func urlOfAPlaceIsItsURL() {
        #expect(URL(of: AppFolder.tmp) == AppFolder.tmp.url)
        #expect(URL(of: AppFolder.Library.Caches.Files) == AppFolder.Library.Caches.Files.url)
        #expect("\(AppFolder.tmp)" == AppFolder.tmp.url.path)
    }

    @Test func documentsAndLibraryAreBackedUpAndNotPurgeable() {
        func check(_ place: some Place) {
            #expect(place.isBackedUp && !place.isPurgeable, "\(place.subpath)")
        }
        check(AppFolder.Documents)
        check(AppFolder.Documents.Inbox)
        check(AppFolder.Library)
        check(AppFolder.Library.Application_Support)
        check(AppFolder.Library.Application_Support.appending(Files.self))
    }

    @Test func cachesAndTmpArePurgeableAndNotBackedUp() {
        func check(_ place: some Place) {
            #expect(place.isPurgeable && !place.isBackedUp, "\(place.subpath)")
        }
        check(AppFolder.Library.Caches)
        check(AppFolder.Library.Caches.Files)
        check(AppFolder.tmp)
        check(AppFolder.tmp.appending(Files.self))
    }

    @Test func valuesAreSendableAndHashable() async throws {
        func other<P: Place>(_ place: P) async -> P { await Task.detached { place }.value }
        #expect(await other(AppFolder.Library.Caches.Files) == AppFolder.Library.Caches.Files)
        #expect(await other(AppFolder.tmp) == AppFolder.tmp)

        let custom = try AppFolder.tmp.appending("Custom")
        let folders: Set = [custom, try AppFolder.tmp.appending("Custom")]
        #expect(folders == [custom])
        #expect(try custom != AppFolder.tmp.appending("Other"))
        #expect(try custom != AppFolder.Documents.appending("Custom"))
    }

    @Test func placesOfDifferentRootsDiffer() throws {
        let one = try FolderRoot(at: URL(filePath: "/one"))
        #expect(one.tmp != AppFolder.tmp)
        #expect(one.tmp == (try FolderRoot(at: URL(filePath: "/one/")).tmp))
    }
}

private final class Files: Folder {}

extension Library.Caches {
    fileprivate final class Files: Folder {}
    fileprivate var Files: Files { subfolder() }
}
