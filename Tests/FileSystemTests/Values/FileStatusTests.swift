import FileSystem
import Foundation
import TestSupport
import Testing

struct FileStatusTests {
    @Test(arguments: [true, false])
    func statusHasTheTimeWhenAFileWasMade(_ isLocal: Bool) throws {
        let temporary = try TemporaryFolder()
        let disk: any FileSystem = isLocal ? LocalFileSystem() : MemoryFileSystem()
        let folder = try disk.openFolder(at: isLocal ? temporary.url.path : "/")
        let file = try disk.openFile("a", in: folder, for: .create(mode: 0o600))
        let made = try disk.status(of: file)
        try disk.write([1, 2, 3], to: file, at: 0)
        try disk.protect(file, mode: 0o640, as: .complete)
        let found = try #require(try disk.status(of: "a", in: folder))
        #expect(found.created == made.created)
        #expect(
            abs(try #require(found.creationDate).timeIntervalSinceNow) < 60)
        #expect(found.mode == 0o640)
        #expect(try found == disk.status(of: file))
    }

    /// The name of a file can be removed between the look-up and the read of another thread.
    @Test func openFileInMemoryOutlivesItsName() throws {
        let disk = MemoryFileSystem()
        let folder = try disk.openFolder(at: "/")
        @Sendable func replace() throws {
            try disk.write(
                [1], to: disk.openFile("b", in: folder, for: .create(mode: 0o600)), at: 0)
            try disk.rename("b", in: folder, to: "a", in: folder, replacing: true)
        }
        try replace()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            #expect(throws: Never.self) {
                for _ in 0..<TestSize.choose(sample: 2_000, gate: 20_000, full: 200_000) {
                    if thread == 0 { try replace() }
                    #expect(try disk.readAll("a", in: folder) == [1])
                }
            }
        }
    }
}
