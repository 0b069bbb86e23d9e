import FileSystem
import Foundation
import Testing

@testable import AppFolders

struct SweepTests {
    private let files = LocalFileSystem()

    /// Sweeps all of `folder`, on its own volume or as if the sweep was for another volume.
    private func sweep(_ folder: Handle, onOwnVolume: Bool = true) throws -> Sweep {
        let device = try files.status(of: folder).identity.device
        var sweep = Sweep(before: .distantFuture, on: onOwnVolume ? device : device + 1)
        #expect(try sweep.empty(folder) == onOwnVolume)
        return sweep
    }

    @Test func sweepStaysInItsFolderWhenALinkTakesItsPath() throws {
        try withRoot { root in
            let precious = try root.Documents.url.write("file")
            try root.tmp.url.write("file")
            let folder = try #require(try root.tmp.location.openFolder())
            let moved = root.baseURL.appending(path: "moved", directoryHint: .isDirectory)
            try FileManager.default.moveItem(at: root.tmp.url, to: moved)
            try FileManager.default.createSymbolicLink(
                atPath: root.baseURL.path + "tmp", withDestinationPath: root.Documents.url.path)

            #expect(try sweep(folder).failure == nil)
            #expect(precious.exists)
            #expect(!moved.appending(path: "file").exists)
        }
    }

    @Test func otherVolumesAreLeftAlone() throws {
        try withRoot { root in
            let file = try root.tmp.url.write("sub/file")
            let folder = try #require(try root.tmp.location.openFolder())
            #expect(try sweep(folder, onOwnVolume: false).failure == nil)
            #expect(file.exists)
            #expect(try sweep(folder).failure == nil)
            #expect(!file.exists)
        }
    }

    #if os(Linux)
        @Test func namesThatAreNotUTF8AreRemoved() throws {
            try withRoot { root in
                let folder = try #require(try root.tmp.create().location.openFolder())
                let name = try #require(FileName(bytes: [0xFF, 0xFE]))
                _ = try files.openFile(name, in: folder, for: .create(mode: 0o600))
                try root.tmp.purge()
                #expect(try files.list(folder).isEmpty)
            }
        }
    #endif
}
