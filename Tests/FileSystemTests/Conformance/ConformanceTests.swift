import FileSystem
import Foundation
import TestSupport
import Testing

/// The behaviour of every conformer of `FileSystem`: that of POSIX and of Linux.
struct ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func creatingAFileNeedsAFreeName(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("first", as: "a", in: root)
            try files.makeFolder("b", in: root, mode: 0o700)
            for taken: FileName in ["a", "b"] {
                expectFileSystemError(.fileExists) {
                    try files.openFile(taken, in: root, for: .create(mode: 0o600))
                }
            }
            #expect(try files.text("a", in: root) == "first")
            #expect(try files.names(in: root) == ["a", "b"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func namesCanHave255Bytes(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let name = try FileName(validating: String(repeating: "x", count: 255))
            try files.put("long", as: name, in: root)
            #expect(try files.list(root) == [name])
            #expect(try files.text(name, in: root) == "long")
        }
    }

    @Test(arguments: Conformer.allCases, [FileAccess.read, .update])
    func openingAMissingFileFailsAndDoesNotMakeIt(_ conformer: Conformer, _ access: FileAccess)
        throws
    {
        try conformer.withFolder { files, root in
            try files.put("", as: "b", in: root)
            expectFileSystemError(.noSuchFile) { try files.openFile("a", in: root, for: access) }
            #expect(try files.names(in: root) == ["b"])
        }
    }

    @Test(
        arguments: Conformer.allCases,
        [FileAccess.read, .update, .openOrCreate(mode: 0o600)])
    func folderDoesNotOpenAsAFile(_ conformer: Conformer, _ access: FileAccess) throws {
        try conformer.withFolder { files, root in
            try files.makeFolder("a", in: root, mode: 0o700)
            expectFileSystemError(.isFolder) { try files.openFile("a", in: root, for: access) }
        }
    }

    @Test(arguments: Conformer.allCases)
    func openOrCreateMakesAFileOnce(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let made = try files.openFile("a", in: root, for: .openOrCreate(mode: 0o600))
            try files.write([1], to: made, at: 0)
            let opened = try files.openFile("a", in: root, for: .openOrCreate(mode: 0o600))
            #expect(try files.status(of: made) == files.status(of: opened))
            try files.write([2], to: opened, at: 1)
            #expect(try files.readAll(made) == [1, 2])
        }
    }

    @Test(arguments: Conformer.allCases)
    func openOrCreateKeepsTheModeOfAnEmptyFile(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            _ = try files.openFile("a", in: root, for: .openOrCreate(mode: 0o640))
            let opened = try files.openFile("a", in: root, for: .openOrCreate(mode: 0o600))
            #expect(try files.status(of: opened).mode == 0o640)
        }
    }

    @Test(arguments: Conformer.allCases)
    func removingAFileRemovesItsName(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("", as: "a", in: root)
            try files.put("", as: "b", in: root)
            try files.removeFile("a", in: root)
            #expect(try files.names(in: root) == ["b"])
            #expect(try files.status(of: "a", in: root) == nil)
            expectFileSystemError(.noSuchFile) { try files.removeFile("a", in: root) }
        }
    }

    @Test(arguments: Conformer.allCases)
    func removingAFolderAsAFileFails(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.makeFolder("a", in: root, mode: 0o700)
            expectFileSystemError(.isFolder) { try files.removeFile("a", in: root) }
            #expect(try files.names(in: root) == ["a"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func removedFileStaysOpenInItsHandle(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let removed = try files.put("old", as: "a", in: root)
            try files.removeFile("a", in: root)
            try files.put("new", as: "a", in: root)
            #expect(try files.text(of: removed) == "old")
            try files.write(Array("er".utf8), to: removed, at: 3)
            #expect(try files.text(of: removed) == "older")
            #expect(try files.status(of: removed).linkCount == 0)
            #expect(try files.text("a", in: root) == "new")
        }
    }

    @Test(arguments: Conformer.allCases)
    func openFileIsWholeWhileAnotherThreadReplacesIt(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("whole", as: "a", in: root)
            let ended = DispatchSemaphore(value: 0)
            let writer = Thread {
                #expect(throws: Never.self) {
                    while !Thread.current.isCancelled {
                        try files.put("whole", as: "b", in: root)
                        try files.rename("b", in: root, to: "a", in: root, replacing: true)
                    }
                }
                ended.signal()
            }
            writer.start()
            defer {
                writer.cancel()
                ended.wait()
            }
            for _ in 0..<TestSize.choose(sample: 1_000, gate: 10_000, full: 100_000) {
                try #require(try files.text("a", in: root) == "whole")
            }
        }
    }
}
