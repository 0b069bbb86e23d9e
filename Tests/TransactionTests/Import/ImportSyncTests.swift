import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// How often an import waits for the drive.
struct ImportSyncTests {
    /// The number of calls that wait until the drive has written what it was given.
    private func waits(importing count: Int) throws -> Int {
        let process = ProcessFileSystem(MemoryFileSystem())
        let photos = try Directory<Photo>(
            at: URL(filePath: "/store"), index: "photos.json", on: process)
        let stage = try photos.makeStage()
        for number in 0..<count { try stage.write(Data([UInt8(number)])) }
        let before = process.calls
        try photos.insert(stage)
        return process.log[before...].count {
            ($0.hasPrefix("sync") || $0.hasPrefix("flush")) && !$0.hasPrefix("sync to drive")
        }
    }

    @Test func importOfManyFilesWaitsForTheDriveNoMoreThanThatOfOne() throws {
        #expect(try waits(importing: 30) <= waits(importing: 1))
    }
}
