import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Cleanup takes no lock, so it can remove `.staging` and `.trash` while another process reads.
struct CleanupRaceTests {
    private let url = URL(filePath: "/store")

    /// A disk with a folder in `.staging` that no transaction made, and nothing to clean up.
    private func disk() throws -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        let process = ProcessFileSystem(disk)
        let photos = try Directory<Photo>(at: url, index: "photos.json", on: process)
        try photos.insert(Data([1]))
        let folder = try disk.openFolder(at: "/store")
        try disk.makeFolder(".staging", in: folder, mode: 0o700)
        let staging = try disk.openFolder(".staging", in: folder)
        try disk.makeFolder("other", in: staging, mode: 0o700)
        return disk
    }

    @Test(arguments: [false, true])
    func stagingRemovedWhileItIsListedIsNoError(_ isVerified: Bool) throws {
        func read(_ process: ProcessFileSystem) throws {
            let photos = try Directory<Photo>(at: url, index: "photos.json", on: process)
            let findings = isVerified ? try photos.verify() : []
            try photos.load()
            #expect(photos.count == 1)
            #expect(findings == [])
        }
        let watched = ProcessFileSystem(try disk())
        try read(watched)
        let listings = watched.log.indices.filter { watched.log[$0] == "list /store/.staging" }
        #expect(!listings.isEmpty)
        for listing in listings {
            try read(
                ProcessFileSystem(try disk()) { $0 == listing ? .fails(.noSuchFile) : .works })
        }
    }

    @Test func openCollectionsOfOneProcessMakeNoCallsOnOtherFileSystems() throws {
        let process = ProcessFileSystem(MemoryFileSystem())
        let waiting = try Directory<Photo>(at: url, index: "photos.json", on: process)
        let calls = process.calls
        let other = ProcessFileSystem(MemoryFileSystem())
        try Directory<Photo>(at: url, index: "photos.json", on: other).insert(Data([1]))
        #expect(process.calls == calls)
        try waiting.load()
        #expect(waiting.isEmpty)
    }
}
