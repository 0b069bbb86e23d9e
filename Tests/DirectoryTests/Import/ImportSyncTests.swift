import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// What an import makes durable before its files move.
@Suite struct ImportSyncTests {
    @Test(arguments: [1, 2, 30])
    func stagedFilesAreSyncedOneByOneAndTheDriveIsFlushedOnce(_ count: Int) throws {
        let process = ProcessFileSystem(MemoryFileSystem())
        let photos = try Directory<Photo>(
            at: URL(filePath: "/store"), index: "photos.json", on: process)
        let stage = try photos.makeStage()
        for number in 0..<count { try stage.write(Data([UInt8(number)])) }
        let before = process.calls
        try photos.insert(stage)
        let steps = process.log[before...].compactMap { call in
            ["sync to drive", "flush", "create", "rename"].first { call.hasPrefix($0) }
        }
        let expected = Array(repeating: "sync to drive", count: count) + ["flush"]
        let first = try #require(steps.firstIndex(of: "sync to drive"))
        #expect(Array(steps[first...].prefix(count + 1)) == expected)
        #expect(steps[first...].count { $0 == "flush" } == 1)
        #expect(steps[first...].count { $0 == "sync to drive" } == count)
        #expect(steps[(first + count + 1)...].contains("rename"))
    }
}
