import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileSystem

/// Locks whose descriptor has a copy, as in every child process until its program starts.
struct LockCopyTests {
    private let temporary: TemporaryFolder
    private let files = LocalFileSystem()

    init() throws { temporary = try TemporaryFolder() }

    private func open() throws -> Handle {
        try files.openFolder(at: temporary.url.path(percentEncoded: false))
    }

    @Test(arguments: [false, true]) func aLockEndsWithItsHandle(_ isShared: Bool) throws {
        var holder: [Handle] = [try open()]
        let copy = dup(holder[0].descriptor)
        defer { close(copy) }
        #expect(try files.tryLock(holder[0], shared: isShared))
        #expect(try !files.tryLock(open(), shared: false))
        holder = []
        #expect(try files.tryLock(open(), shared: false))
    }

    @Test func aForkThatReleasesAHandleKeepsTheLockOfItsParent() throws {
        var holder: [Handle] = [try open()]
        let copy = dup(holder[0].descriptor)
        #expect(try files.tryLock(holder[0], shared: false))
        // In a fork, the process that locked the file is another one.
        holder[0].locker.store(getppid(), ordering: .relaxed)
        holder = []
        #expect(try !files.tryLock(open(), shared: false))
        close(copy)
        #expect(try files.tryLock(open(), shared: false))
    }
}
