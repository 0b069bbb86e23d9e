import Foundation
import Testing

@testable import AppFolders

@Suite struct SweepTests {
    @Test func openFolderIsTheSameAfterItsPathChanged() throws {
        try withRoot { root in
            let precious = try root.Documents.url.write("file")
            try root.tmp.url.write("file")
            guard let folder = try OpenFolder.opening(root.tmp.location) else {
                throw CocoaError(.fileNoSuchFile)
            }
            let moved = root.baseURL.appending(path: "moved", directoryHint: .isDirectory)
            try FileManager.default.moveItem(at: root.tmp.url, to: moved)
            try FileManager.default.createSymbolicLink(
                atPath: root.baseURL.path + "tmp", withDestinationPath: root.Documents.url.path)

            try folder.removeFile(Array("file".utf8CString))
            #expect(precious.exists)
            #expect(!moved.appending(path: "file").exists)
        }
    }

    @Test func otherVolumesAreLeftAlone() throws {
        try withRoot { root in
            let file = try root.tmp.url.write("sub/file")
            guard let folder = try OpenFolder.opening(root.tmp.location) else {
                throw CocoaError(.fileNoSuchFile)
            }
            let volume = try folder.status().st_dev
            var elsewhere = Sweep(before: .distantFuture, on: volume + 1)
            #expect(try !elsewhere.empty(folder))
            #expect(file.exists && elsewhere.failure == nil)

            var here = Sweep(before: .distantFuture, on: volume)
            #expect(try here.empty(folder))
            #expect(!file.exists)
        }
    }

    #if os(Linux)
        @Test func namesThatAreNotUTF8AreDeleted() throws {
            try withRoot { root in
                let path = Array(try root.tmp.create().url.path.utf8) + [0xFF, 0xFE, 0]
                let descriptor = path.map(CChar.init(bitPattern:)).withUnsafeBufferPointer {
                    $0.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
                }
                try #require(descriptor >= 0)
                close(descriptor)
                try root.tmp.purge()
                guard let folder = try OpenFolder.opening(root.tmp.location) else {
                    throw CocoaError(.fileNoSuchFile)
                }
                #expect(try folder.names().isEmpty)
            }
        }
    #endif
}
