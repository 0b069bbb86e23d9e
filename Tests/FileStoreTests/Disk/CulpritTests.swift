import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

/// An error names what failed, and not what the call wanted to do after that.
struct CulpritTests {
    private let disk = MemoryFileSystem()
    private let root = URL(filePath: "/stores/store", directoryHint: .isDirectory)

    private func store(failing call: String, _ code: Errno) -> DiskFileStore {
        let process = ProcessFileSystem(disk) { _, line in line == call ? .fails(code) : .works }
        return DiskFileStore(at: root, on: process)
    }

    @Test(
        arguments: [
            ("make /stores", "/stores/store"), ("make /stores/store", "/stores/store"),
            ("make /stores/store/a", "a"), ("make /stores/store/a/b", "a/b"),
        ],
        [Errno.noSpace, .accessDenied])
    func folderThatCannotBeMadeIsNamed(_ failure: (call: String, path: String), _ code: Errno)
        async throws
    {
        let store = store(failing: failure.call, code)
        let call = failure.call.dropFirst("make ".count)
        await #expect {
            try await store.save("x", to: "a/b/c.bin")
        } throws: { error in
            guard
                case .directoryCreationFailed(let path, let underlying)? = error as? FileStoreError
            else { return false }
            return path == failure.path
                && underlying.hasPrefix("cannot make \(call): \(code.reason)")
        }
    }

    @Test(arguments: [Errno.readOnly, .notPermitted])
    func fileThatCannotBeSavedInAFolderThatExistsIsNamed(_ code: Errno) async throws {
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/b.bin")
        for folder in ["/stores/store", "/stores/store/a"] {
            let store = store(failing: "protect \(folder)", code)
            await #expect {
                try await store.save("x", to: "a/b.bin")
            } throws: {
                guard case .writeFailed("a/b.bin", _)? = $0 as? FileStoreError else { return false }
                return ($0 as? any LocalizedError)?.errorDescription?.hasPrefix(
                    "Cannot save “b.bin”: ") == true
            }
        }
    }

    @Test func folderThatExistsAndCannotBeOpenedIsNotOneToMake() async throws {
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/b.bin")
        let store = store(failing: "open /stores/store/a", .accessDenied)
        await #expect {
            try await store.save("x", to: "a/b.bin")
        } throws: {
            if case .writeFailed("a/b.bin", _)? = $0 as? FileStoreError { true } else { false }
        }
    }

    @Test func deviceOrPipeIsNoSource() async throws {
        let temporary = try TemporaryFolder()
        let pipe = temporary.url.appending(path: "pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let store = DiskFileStore(at: temporary.url.appending(path: "store"))
        for source in [URL(filePath: "/dev/null"), pipe] {
            let error = FileStoreError.invalidPath(
                path: source.path,
                reason: "a symbolic link or a device is where a file or folder must be")
            await #expect(throws: error) { try await store.copy(from: source, to: "a") }
            await #expect(throws: error) { try await store.move(from: source, to: "a") }
        }
    }
}
