import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

/// What people and developers are told if the system refuses something.
struct RefusalTests {
    private static let refusals: [(Errno, reason: String, advice: String, remedy: String)] = [
        (
            .noSpace, "there is no space left", "Free some space and try again.",
            "Free some space and try again."
        ),
        (
            .quotaExceeded, "there is no space left", "Free some space and try again.",
            "Free some space and try again."
        ),
        (
            .readOnly, "the volume is read-only", "Use a volume that can be written to.",
            "Use a volume that can be written to."
        ),
        (
            .accessDenied, "a permission is missing",
            "Check the permissions of the file, and of the folder that it is in.",
            "Check the permissions."
        ),
        (
            .notPermitted, "a permission is missing",
            "Check the permissions of the file, and of the folder that it is in.",
            "Check the permissions."
        ),
        (
            .crossDevice, "its drive cannot move it",
            "Copy everything to another place, and use the copy.",
            "Make a copy on another volume, and use that; overlayfs cannot move a folder of a lower layer."
        ),
        (
            .tooManyOpenFiles, "too many files are open now",
            "Do less at once, or quit this app and others, and try again.",
            "or ulimit -n in the shell."
        ),
        (
            .deadlock, "it is only in the cloud, and was not downloaded",
            "Download it first, then try again.", "or a coordinated read."
        ),
        (
            .ioError, "the system does not allow it, or could not do it",
            "Check the permissions and the space that is left, then try again.",
            ": \(Errno.ioError.reason)"
        ),
    ]

    @Test(arguments: refusals) func refusalHasItsOwnTexts(
        _ code: Errno, _ reason: String, _ advice: String, _ remedy: String
    ) async throws {
        let process = ProcessFileSystem(MemoryFileSystem()) { _, call in
            call.hasPrefix("write ") ? .fails(code) : .works
        }
        let store = DiskFileStore(at: URL(filePath: "/store"), on: process)
        let error = try #require(
            await #expect(throws: FileStoreError.self) { try await store.save("x", to: "a/b.bin") })
        #expect(error.localizedDescription == "Cannot save “b.bin”: \(reason).")
        #expect(error.recoverySuggestion == advice)
        #expect(error.description.hasSuffix(remedy))
        #expect(error.description.ranges(of: remedy).count == 1)
    }

    @Test func sourceThatCannotBeRemovedHasAReasonAndARemedy() async throws {
        let disk = MemoryFileSystem()
        try disk.put("x", as: "source", in: "/")
        let process = ProcessFileSystem(disk) { _, call in
            if call.hasPrefix("rename /source ") { return .fails(.crossDevice) }
            return call == "remove /source" ? .fails(.readOnly) : .works
        }
        let store = DiskFileStore(at: URL(filePath: "/store"), on: process)
        let error = try #require(
            await #expect(throws: FileStoreError.self) {
                try await store.move(from: URL(filePath: "/source"), to: "a")
            })
        #expect(error.localizedDescription == "Cannot remove “source”: the volume is read-only.")
        #expect(error.description.hasSuffix("Use a volume that can be written to."))
    }

    #if os(Linux)
        /// A program that ran once as root locks the user out.
        @Test(.enabled(if: geteuid() == 0)) func folderOfAnotherUserSaysSo() async {
            await #expect(processExitsWith: .success) {
                let temporary = try TemporaryFolder()
                let root = temporary.url.appending(path: "store")
                try FileManager.default.createDirectory(
                    at: root, withIntermediateDirectories: true)
                for folder in [temporary.url, root] { chmod(folder.path, 0o755) }
                try #require(seteuid(65_534) == 0)
                // Its folder is removed by root.
                defer { withExtendedLifetime(temporary) { _ = seteuid(0) } }
                let store = DiskFileStore(at: root, fileProtection: .none)
                let error = try #require(
                    await #expect(throws: FileStoreError.self) {
                        try await store.save("x", to: "a")
                    })
                #expect(error.description.contains("belongs to the user root"))
                #expect(error.description.contains("chown"))
                #expect(error.localizedDescription.contains("belongs to another user"))
            }
        }
    #endif
}
