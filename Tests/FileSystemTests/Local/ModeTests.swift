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

        /// As on a Linux before 6.6 without /proc, where the C library cannot set the mode of a name that may be a link.
        @Test func modeOfAFolderIsExactWithoutProc() async {
            await #expect(processExitsWith: .success) {
                let calls = VolumeCalls(setMode: { folder, name, mode, flags in
                    if flags == 0 { return fchmodat(folder, name, mode, 0) }
                    errno = EOPNOTSUPP
                    return -1
                })
                try withMasks(masks) { _, root in
                    let files = LocalFileSystem(calls: calls)
                    for (number, mode) in modes.enumerated() {
                        let name = try FileName(validating: "\(number)")
                        try files.makeFolder(name, in: root, mode: mode)
                        #expect(try files.status(of: name, in: root)?.mode == mode)
                    }
                }
            }
        }

        private static func newFileHasItsExactMode() throws {
            try withMasks(masks) { files, root in
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
            try withMasks(masks) { files, root in
                for (number, mode) in modes.enumerated() {
                    let name = try FileName(validating: "\(number)")
                    try files.makeFolder(name, in: root, mode: mode)
                    #expect(try files.status(of: name, in: root)?.mode == mode)
                }
            }
        }
    }

    private let modes: [UInt16] = [0o600, 0o644, 0o666, 0o700, 0o755, 0o777, 0o400, 0o300, 0o000]

    private let masks: [mode_t] = [0o000, 0o022, 0o077, 0o177, 0o777]

    /// Runs `body` with one umask after the other, as a user who is not the superuser.
    private func withMasks(
        _ masks: [mode_t], _ body: (LocalFileSystem, Handle) throws -> Void
    ) throws {
        if getuid() == 0 { try #require(setuid(65_534) == 0) }
        for mask in masks {
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
