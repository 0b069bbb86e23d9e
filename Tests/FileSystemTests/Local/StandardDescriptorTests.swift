import FileSystem
import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct StandardDescriptorTests {
        /// Else what the process prints would be written into the file.
        @Test func noFileGetsTheDescriptorOfAStandardStream() async {
            await #expect(processExitsWith: .exitCode(7)) {
                let temporary = try TemporaryFolder()
                for descriptor in 0...2 { close(CInt(descriptor)) }
                let files = LocalFileSystem()
                let folder = try files.openFolder(at: temporary.url.path)
                let file = try files.openFile("a", in: folder, for: .create(mode: 0o600))
                try files.write([1], to: file, at: 0)
                print("text")
                StandardError.write("text")
                let isKept = try files.readAll("a", in: folder) == [1]
                if folder.descriptor > 2 && file.descriptor > 2 && isKept { exit(7) }
            }
        }
    }
#endif
