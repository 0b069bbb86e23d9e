import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// What the errors of a volume mean that lacks a system call.
private let unsupported = [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL, ENOSYS]
private let failures = [EIO, ENOSPC, EDQUOT, EBADF, EROFS]

/// Sets the error number, and returns what a system call returns that failed.
private func fail<Result: SignedInteger>(_ number: Int32) -> Result {
    errno = number
    return -1
}

/// Volumes that lack system calls.
struct VolumeTests {
    private let temporary: TemporaryFolder
    private let root: Handle

    init() throws {
        temporary = try TemporaryFolder()
        root = try LocalFileSystem().openFolder(at: temporary.url.path(percentEncoded: false))
    }

    @Test(arguments: unsupported)
    func syncOnAVolumeWithoutFullSyncsIsAPlainSync(_ number: Int32) throws {
        let synced = Mutex<[Int32]>([])
        let calls = VolumeCalls(
            fullSync: { _ in fail(number) },
            sync: { file in
                synced.withLock { $0.append(file) }
                return 0
            })
        let files = LocalFileSystem(calls: calls)
        let file = try files.put("1", as: "a", in: root)
        try files.sync(file)
        try files.sync(root)
        try files.syncData(file)
        #expect(synced.withLock { $0 } == [file.descriptor, root.descriptor])
    }

    @Test(arguments: failures)
    func failureOfAFullSyncIsNeverHidden(_ number: Int32) throws {
        let calls = VolumeCalls(
            fullSync: { _ in fail(number) },
            sync: { _ in
                Issue.record("a plain sync says that it worked")
                return 0
            })
        let files = LocalFileSystem(calls: calls)
        let file = try files.put("1", as: "a", in: root)
        let code = Errno(rawValue: number)
        expectFileSystemError(code) { try files.sync(file) }
        expectFileSystemError(code) { try files.syncData(file) }
        expectFileSystemError(code) { try files.flushDrive(holding: file) }
    }

    @Test(arguments: unsupported + [0])
    func handlesAreSyncedSideBySideAndTheDriveIsFlushedAfterThem(_ flush: Int32) throws {
        let threads = min(2, ProcessInfo.processInfo.activeProcessorCount)
        let done = Mutex<(syncs: Set<Int32>, running: Int, most: Int, flushes: Int)>(([], 0, 0, 0))
        let calls = VolumeCalls(
            fullSync: { _ in
                done.withLock { done in
                    #expect(done.syncs.count == 3 && done.running == 0)
                    done.flushes += 1
                }
                return flush == 0 ? 0 : fail(flush)
            },
            sync: { file in
                done.withLock { done in
                    done.running += 1
                    done.most = max(done.most, done.running)
                    done.syncs.insert(file)
                }
                // As a slow drive does, this waits; but for ten seconds at most, so that the test can fail.
                for _ in 0..<1000 where done.withLock({ $0.most < threads }) {
                    Thread.sleep(forTimeInterval: 0.01)
                }
                done.withLock { $0.running -= 1 }
                return 0
            })
        let files = LocalFileSystem(calls: calls)
        let handles = try ["a", "b"].map { try files.put("1", as: $0, in: root) } + [root]
        try files.sync(handles)
        let (syncs, most, flushes) = done.withLock { ($0.syncs, $0.most, $0.flushes) }
        #expect(syncs == Set(handles.map(\.descriptor)) && flushes == 1)
        #expect(most >= threads)
    }

    @Test(arguments: 0..<3)
    func failureOfOneSyncOfManyIsThrownAfterAllHaveEnded(_ failing: Int) throws {
        let running = Mutex(0)
        let failed = Mutex<Int32>(-1)
        let calls = VolumeCalls(
            fullSync: { _ in
                Issue.record("a flush says that all are durable")
                return 0
            },
            sync: { file in
                running.withLock { $0 += 1 }
                defer { running.withLock { $0 -= 1 } }
                return file == failed.withLock { $0 } ? fail(EIO) : 0
            })
        let files = LocalFileSystem(calls: calls)
        let handles = try ["a", "b"].map { try files.put("1", as: $0, in: root) } + [root]
        failed.withLock { $0 = handles[failing].descriptor }
        expectFileSystemError(.ioError) { try files.sync(handles) }
        #expect(running.withLock { $0 } == 0)
    }

    @Test func failureOfOneSyncOfTheDataOfManyIsThrown() throws {
        let files = LocalFileSystem()
        let closed = Handle(descriptor: -1, path: "closed") { _, _ in }
        let file = try files.put("1", as: "a", in: root)
        try files.syncData([file, file])
        expectFileSystemError(.init(rawValue: EBADF)) { try files.syncData([file, closed, file]) }
    }

    @Test(arguments: [1, 3, 40], [true, false])
    func driveIsFlushedAfterTheSyncOfAllFilesAndNotOnceForEach(
        _ count: Int, _ hasFullSync: Bool
    ) throws {
        let done = Mutex<[String]>([])
        let calls = VolumeCalls(
            fullSync: { _ in
                done.withLock { $0.append("flush") }
                return hasFullSync ? 0 : fail(ENOTSUP)
            },
            sync: { _ in
                done.withLock { $0.append("sync") }
                return 0
            })
        let files = LocalFileSystem(calls: calls)
        let names = try (0..<count).map { try FileName(validating: "\($0)") }
        for name in names { try files.put("1", as: name, in: root) }
        try files.syncFiles(names, in: root) { _ in }
        let (last, syncs) = done.withLock { done in (done.last, done.count { $0 == "sync" }) }
        #expect(last == "flush" && syncs >= count)
        #expect(done.withLock { $0.count - syncs } <= (count + 1) / 2)
    }

    @Test func driveIsNotFlushedIfAFileCannotBeSynced() throws {
        let calls = VolumeCalls(
            fullSync: { _ in
                Issue.record("flushed")
                return 0
            }, sync: { _ in fail(EIO) })
        let files = LocalFileSystem(calls: calls)
        try files.put("1", as: "a", in: root)
        expectFileSystemError(.ioError) { try files.syncFiles(["a"], in: root) { _ in } }
    }

    @Test(arguments: unsupported)
    func nameIsNotReplacedOnAVolumeWithoutExclusiveRenames(_ number: Int32) throws {
        let files = LocalFileSystem(
            calls: VolumeCalls(renameExclusive: { _, _, _, _ in fail(number) }))
        try files.put("new", as: "a", in: root)
        try files.put("kept", as: "b", in: root)
        let folder = try files.putFolder("folder", in: root)
        for name: FileName in ["b", "folder"] {
            expectFileSystemError(.fileExists) {
                try files.rename("a", in: root, to: name, in: root, replacing: false)
            }
        }
        try files.rename("a", in: root, to: "c", in: folder, replacing: false)
        #expect(try files.names(in: root) == ["b", "folder"])
        #expect(try files.text("b", in: root) == "kept")
        #expect(try files.text("c", in: folder) == "new")
        expectFileSystemError(.noSuchFile) {
            try files.rename("a", in: root, to: "d", in: root, replacing: false)
        }
        expectFileSystemError(.invalidArgument) {
            try files.rename("folder", in: root, to: "inner", in: folder, replacing: false)
        }
    }

    @Test(arguments: unsupported)
    func moveWithoutExclusiveRenamesTellsWhatIsMissing(_ number: Int32) throws {
        let files = LocalFileSystem(
            calls: VolumeCalls(renameExclusive: { _, _, _, _ in fail(number) }))
        try files.put("1", as: "a", in: root)
        let folder = try files.putFolder("folder", in: root)
        try files.link("a", in: root, to: "b", in: folder)
        try files.move("a", in: root, to: "b", in: folder)
        #expect(try files.names(in: root) == ["folder"])
        expectFileSystemError(.noSuchFile) { try files.move("a", in: root, to: "b", in: folder) }
    }

    @Test(arguments: unsupported)
    func namesAreNotExchangedOnAVolumeThatCannot(_ number: Int32) throws {
        let files = LocalFileSystem(calls: VolumeCalls(exchange: { _, _, _ in fail(number) }))
        try files.put("1", as: "a", in: root)
        try files.put("2", as: "b", in: root)
        #expect(try !files.exchange("a", with: "b", in: root))
        #expect(try files.text("a", in: root) == "1")
    }

    @Test(arguments: failures + [EACCES, EPERM, EXDEV])
    func failureOfAnExclusiveRenameMovesNothing(_ number: Int32) throws {
        let files = LocalFileSystem(
            calls: VolumeCalls(renameExclusive: { _, _, _, _ in fail(number) }))
        try files.put("1", as: "a", in: root)
        expectFileSystemError(Errno(rawValue: number)) {
            try files.rename("a", in: root, to: "b", in: root, replacing: false)
        }
        #expect(try files.names(in: root) == ["a"])
    }
}

/// Sizes that 32 bits cannot hold.
struct LargeFileTests {
    private let temporary: TemporaryFolder
    private let root: Handle
    private static let size = 5 << 30

    init() throws {
        temporary = try TemporaryFolder()
        root = try LocalFileSystem().openFolder(at: temporary.url.path(percentEncoded: false))
    }

    /// Darwin fails with EINVAL from 2 GiB.
    @Test func noCallReadsOrWritesMoreThanDarwinCan() throws {
        let end = Mutex<off_t>(0)
        let calls = VolumeCalls(
            read: { _, _, count, offset in
                guard count <= 1 << 30 else { return fail(EINVAL) }
                end.withLock { $0 = max($0, offset + off_t(count)) }
                return count
            },
            write: { _, _, count, offset in
                guard count <= 1 << 30 else { return fail(EINVAL) }
                end.withLock { $0 = max($0, offset + off_t(count)) }
                return count
            })
        let files = LocalFileSystem(calls: calls)
        let file = try files.put("", as: "a", in: root)
        // Never touched, so it takes no memory.
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.size + 7, alignment: 1)
        defer { buffer.deallocate() }
        #expect(try files.read(file, at: 1, into: buffer) == Self.size + 7)
        #expect(end.withLock { $0 } == off_t(Self.size + 8))
        try files.write(UnsafeRawBufferPointer(buffer), to: file, at: 3)
        #expect(end.withLock { $0 } == off_t(Self.size + 10))
    }

    @Test func hugeSparseFileIsReadWrittenAndCopiedAtEveryOffset() throws {
        let copied = Mutex<Int64>(0)
        let size = Int64(Self.size + 3)
        let calls = VolumeCalls(
            cloneInto: { _, _ in fail(ENOTSUP) },
            copyRange: { _, from, _, to, count in
                #expect(from == to)
                copied.withLock { $0 = max($0, from) }
                return Int(min(Int64(count), size - from))
            })
        let files = LocalFileSystem(calls: calls)
        let file = try files.put("", as: "a", in: root)
        try files.truncate(file, to: Self.size)
        try files.write(Array("end".utf8), to: file, at: Self.size)
        #expect(try files.status(of: "a", in: root)?.size == Self.size + 3)
        #expect(try files.read(file, at: Self.size - 1, count: 9) == [0] + Array("end".utf8))
        let source = try ImportSource("a", in: root, on: files)
        var total = 0
        _ = try source.copy(as: "b", in: root, mode: 0o600) { total += $0 }
        #expect(total == Self.size + 3)
        #expect(copied.withLock { $0 } == size)
    }
}
