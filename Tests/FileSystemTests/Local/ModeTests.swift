import FileSystem
import Foundation
import TestSupport
import Testing

// Each test runs in its own process, because the umask is that of the whole process.
#if os(Linux) || os(macOS)
    /// The umask of the process has no effect on the modes of new files.
    struct ModeTests {
        @Test func everyModeIsExact() async {
            await #expect(processExitsWith: .success) {
                try ModeTests.newFileHasItsExactMode()
                try ModeTests.newFolderHasItsExactMode()
            }
        }

        private static func newFileHasItsExactMode() throws {
            try withEveryMask { files, root in
                for (number, mode) in modes.enumerated() {
                    for access in [FileAccess.create(mode: mode), .openOrCreate(mode: mode)] {
                        let name = try FileName(validating: "\(number) \(access)")
                        let file = try files.openFile(name, in: root, for: access)
                        #expect(try files.status(of: file).mode == mode)
                    }
                }
            }
        }

        private static func newFolderHasItsExactMode() throws {
            try withEveryMask { files, root in
                for (number, mode) in modes.enumerated() {
                    let name = try FileName(validating: "\(number)")
                    try files.makeFolder(name, in: root, mode: mode)
                    #expect(try files.status(of: name, in: root)?.mode == mode)
                }
            }
        }
    }

    private let modes: [UInt16] = [0o600, 0o644, 0o666, 0o700, 0o755, 0o777, 0o400, 0o300, 0o000]

    /// Runs `body` with one umask after the other, as a user who is not the superuser.
    private func withEveryMask(_ body: (LocalFileSystem, Handle) throws -> Void) throws {
        if getuid() == 0 { try #require(setuid(65_534) == 0) }
        for mask: mode_t in [0o000, 0o022, 0o077, 0o177, 0o777] {
            let temporary = try TemporaryFolder()
            try withExtendedLifetime(temporary) {
                let files = LocalFileSystem()
                let root = try files.openFolder(at: temporary.url.path(percentEncoded: false))
                let before = umask(mask)
                defer { umask(before) }
                try body(files, root)
            }
        }
    }
#endif
