import FileStore
import Foundation

/// Saves numbered versions of one file until it is killed, and prints each number when the version
/// is saved.
///
/// A version is its number in 8 bytes, and 256 KiB of that number's low byte.
enum SaveFiles: Command {
    static let usage = "save-files FOLDER"

    static func run(_ arguments: [String]) async throws {
        let store = DiskFileStore(at: URL(filePath: arguments[0], directoryHint: .isDirectory))
        var version: UInt64 = 0
        while true {
            version += 1
            let number = withUnsafeBytes(of: version.littleEndian) { Data($0) }
            let filling = Data(repeating: UInt8(truncatingIfNeeded: version), count: 256 << 10)
            try await store.save(number + filling, to: "a/b/versions")
            try report(Int(version))
        }
    }
}
