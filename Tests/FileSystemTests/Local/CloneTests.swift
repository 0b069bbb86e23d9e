import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Clones as Apple's systems make them, and volumes that have none.
struct CloneTests {
    private let temporary: TemporaryFolder
    private let files = LocalFileSystem()
    private let root: Handle
    private let source: Handle

    init() throws {
        temporary = try TemporaryFolder()
        root = try files.openFolder(at: temporary.url.path(percentEncoded: false))
        source = try files.put("text", as: "source", in: root)
        try files.protect(source, mode: 0o440, as: .none)
    }

    /// Calls that make a clone of `source` as fclonefileat(2) does: with the mode of its source, and
    /// with flags that `clearFlags` must clear.
    private func applesCalls(clearFlags: @escaping @Sendable (Int32) -> Int32) -> VolumeCalls {
        let (files, root, source) = (files, root, source)
        return VolumeCalls(
            cloneAs: { _, folder, name in
                guard folder == root.descriptor,
                    let name = FileName(String(cString: name)),
                    let file = try? files.openFile(name, in: root, for: .create(mode: 0o440)),
                    let bytes = try? files.readAll(source)
                else {
                    errno = EEXIST
                    return -1
                }
                return (try? files.write(bytes, to: file, at: 0)) == nil ? -1 : 0
            }, clearFlags: clearFlags,
            cloneInto: { _, _ in
                errno = ENOSYS
                return -1
            })
    }

    @Test func cloneHasTheModeThatIsAskedForAndNoFlags() throws {
        let cleared = Mutex<[Int32]>([])
        let files = LocalFileSystem(
            calls: applesCalls { file in
                cleared.withLock { $0.append(file) }
                return 0
            })
        let (clone, isClone) = try files.createFile("b", in: root, mode: 0o600, cloning: source)
        #expect(isClone)
        #expect(cleared.withLock { $0 } == [clone.descriptor])
        #expect(try files.status(of: clone).mode == 0o600)
        #expect(try files.text(of: clone) == "text")
        #expect(try files.text("b", in: root) == "text")
        try files.sync(clone)
    }

    @Test func cloneThatKeepsItsFlagsIsReplacedByACopy() throws {
        let files = LocalFileSystem(
            calls: applesCalls { _ in
                errno = EPERM
                return -1
            })
        let imported = try ImportSource("source", in: root, on: files)
        let (file, isClone) = try files.createFile("a", in: root, mode: 0o600, cloning: source)
        #expect(try !isClone && files.text(of: file) == "")
        let copy = try imported.copy(as: "b", in: root, mode: 0o600) { _ in }
        #expect(try files.text(of: copy) == "text")
        #expect(try files.status(of: copy).mode == 0o600)
    }

    @Test func existingFileIsNeverReplacedByAClone() throws {
        let files = LocalFileSystem(calls: applesCalls { _ in 0 })
        try files.put("kept", as: "b", in: root)
        expectFileSystemError(.fileExists) {
            try files.createFile("b", in: root, mode: 0o600, cloning: source)
        }
        #expect(try files.text("b", in: root) == "kept")
    }

    @Test(
        arguments: Sweep.cases(
            [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL, ENOSYS, EXDEV, EPERM], sample: 1))
    func volumeWithoutClonesAndKernelCopiesIsNotAskedTwiceForAFile(_ number: Int32) throws {
        let asked = Mutex<[String]>([])
        let ask = { @Sendable (_ call: String) -> Int32 in
            asked.withLock { $0.append(call) }
            errno = number
            return -1
        }
        let files = LocalFileSystem(
            calls: VolumeCalls(
                cloneAs: { _, _, _ in ask("clone as") },
                cloneInto: { _, _ in ask("clone into") },
                copyRange: { _, _, _, _, _ in Int(ask("copy")) }))
        let bytes = [UInt8](Data.pattern(3 << 20))
        try files.write(bytes, to: files.put("", as: "large", in: root), at: 0)
        var prepared: [Int] = []
        let copy = try ImportSource("large", in: root, on: files).copy(
            as: "b", in: root, mode: 0o640
        ) { file in
            prepared.append(try files.status(of: file).size)
        } step: { _ in
        }
        #expect(asked.withLock { !$0.isEmpty && $0.count == Set($0).count })
        #expect(prepared == [0])
        #expect(try files.readAll(copy) == bytes)
        #expect(try files.status(of: copy).mode == 0o640)
    }

    @Test func copyGoesOnThroughMemoryWhereTheKernelStops() throws {
        let calls = Mutex(0)
        let files = LocalFileSystem(
            calls: VolumeCalls(
                cloneInto: { _, _ in -1 },
                copyRange: { from, offset, to, _, count in
                    guard
                        calls.withLock({
                            $0 += 1; return $0
                        }) < 3
                    else {
                        errno = EINVAL
                        return -1
                    }
                    var bytes = [UInt8](repeating: 0, count: min(count, 1_000))
                    let read = pread(from, &bytes, bytes.count, off_t(offset))
                    return pwrite(to, bytes, read, off_t(offset))
                }))
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try files.write(bytes, to: files.put("", as: "large", in: root), at: 0)
        var steps: [Int] = []
        let copy = try ImportSource("large", in: root, on: files).copy(
            as: "b", in: root, mode: 0o600
        ) { steps.append($0) }
        #expect(try files.readAll(copy) == bytes)
        #expect(steps == [1_000, 1_000, 8_000])
    }
}
