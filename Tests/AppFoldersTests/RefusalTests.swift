import FileSystem
import Foundation
import Testing

@testable import AppFolders

/// What people and developers are told if the system refuses something.
struct RefusalTests {
    private static let refusals: [(Errno, reason: String, remedy: String)] = [
        (.noSpace, "there is no space left", "Free some space and try again."),
        (.readOnly, "the volume is read-only", "Use a volume that can be written to."),
        (.accessDenied, "a permission is missing", "Check the permissions."),
        (.notPermitted, "a permission is missing", "Check the permissions."),
        (
            .ioError, "the system does not allow it, or could not do it",
            "check the permissions and the volume."
        ),
    ]

    @Test(arguments: refusals) func refusalHasItsOwnTexts(
        _ code: Errno, _ reason: String, _ remedy: String
    ) throws {
        let url = URL(filePath: "/app/Sessions")
        let error = CocoaError(
            .fileWriteUnknown,
            userInfo: [
                NSUnderlyingErrorKey: POSIXError(try #require(.init(rawValue: code.rawValue)))
            ])
        for error in [
            AppFolderError(FileSystemError("purge", url.path, code)),
            AppFolderError(refused: "create", at: url, error),
        ] {
            #expect(error.code == .system)
            #expect(error.localizedDescription == "Cannot use “Sessions”: \(reason).")
            #expect(error.message.hasSuffix(remedy))
            #expect(error.message.contains(code.reason))
            #expect(error.message.ranges(of: remedy).count == 1)
        }
    }

    #if os(Linux)
        /// A program that ran once as root locks the user out.
        @Test(.enabled(if: geteuid() == 0)) func folderOfAnotherUserSaysSo() async {
            await #expect(processExitsWith: .success) {
                try withRoot { root in
                    chmod(root.baseURL.path, 0o755)
                    let file = try root.tmp.url.write("file")
                    chmod(file.deletingLastPathComponent().path, 0o755)
                    try #require(seteuid(65_534) == 0)
                    // Its folder is removed by root.
                    defer { withExtendedLifetime(root) { _ = seteuid(0) } }
                    for call in [
                        { _ = try root.Library.Caches.create() }, { try root.tmp.purge() },
                    ] {
                        let error = expect(.system, from: call)
                        #expect(error?.message.contains("belongs to the user root") == true)
                        #expect(error?.message.contains("chown") == true)
                        #expect(
                            error?.localizedDescription.contains("belongs to another user") == true)
                    }
                }
            }
        }
    #endif
}
