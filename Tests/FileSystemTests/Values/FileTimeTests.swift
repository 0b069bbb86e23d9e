import FileSystem
import Foundation
import TestSupport
import Testing

struct FileTimeTests {
    @Test(arguments: distantTimes)
    func distantDatesAreThoseOfTheVolume(_ seconds: Int) throws {
        let temporary = try TemporaryFolder()
        try checkDate(seconds, in: temporary.url)
    }

    /// A volume in memory keeps every date.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")), arguments: distantTimes)
    func distantDatesAreThoseOfAVolumeInMemory(_ seconds: Int) throws {
        let folder = URL(filePath: "/dev/shm/\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try checkDate(seconds, in: folder) == seconds)
    }

    /// Checks the date of a new file in `folder`, and returns what the volume keeps of it.
    @discardableResult
    private func checkDate(_ seconds: Int, in folder: URL) throws -> Int {
        let file = folder.appending(path: "a")
        try Data([1]).write(to: file)
        let kept = try setModificationTime(of: file, toSeconds: seconds)
        let files = LocalFileSystem()
        let handle = try files.openFolder(at: folder.path)
        let found = try #require(try files.status(of: "a", in: handle))
        #expect(found.modified == FileTime(seconds: kept, nanoseconds: 0))
        #expect(found.modificationDate == Date(timeIntervalSince1970: Double(kept)))
        #expect(try files.status(of: files.openFile("a", in: handle, for: .read)) == found)
        return kept
    }

    @Test func timesAreInOrder() {
        let times = [
            FileTime(seconds: .min, nanoseconds: 0), FileTime(seconds: -1, nanoseconds: 0),
            FileTime(seconds: -1, nanoseconds: 1), .epoch, FileTime(seconds: 0, nanoseconds: 1),
            FileTime(seconds: .max, nanoseconds: 999_999_999),
        ]
        #expect(times.reversed().sorted() == times)
    }

    @Test func nanosecondsAreTheNearestThatFit() {
        #expect(FileTime(seconds: 1, nanoseconds: 5).nanosecondsSince1970 == 1_000_000_005)
        #expect(FileTime(seconds: -1, nanoseconds: 5).nanosecondsSince1970 == -999_999_995)
        #expect(FileTime(seconds: .max, nanoseconds: 0).nanosecondsSince1970 == .max)
        #expect(FileTime(seconds: .min, nanoseconds: 0).nanosecondsSince1970 == .min)
        #expect(
            FileTime(seconds: 9_223_372_036, nanoseconds: 854_775_808).nanosecondsSince1970 == .max)
        #expect(
            FileTime(seconds: -9_223_372_037, nanoseconds: 145_224_192).nanosecondsSince1970 == .min
        )
    }

    @Test func everyDateHasATime() {
        for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: -0.25)] {
            #expect(Date(FileTime(date)) == date)
        }
        #expect(FileTime(Date(timeIntervalSince1970: .infinity)).seconds == .max)
        #expect(FileTime(Date(timeIntervalSince1970: -1e300)).seconds == .min)
        #expect(FileTime(Date(timeIntervalSince1970: .nan)) == .epoch)
    }

    @Test func theNextTimeIsLater() {
        let time = FileTime(seconds: 1, nanoseconds: 999_999_999)
        #expect(time.next == FileTime(seconds: 2, nanoseconds: 0))
        let last = FileTime(seconds: .max, nanoseconds: 999_999_999)
        #expect(last.next == last)
    }
}
