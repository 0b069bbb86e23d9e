// Saves numbered versions of one file until a test kills it, and prints each number when the
// version is saved. A version is its number in 8 bytes, and 256 KiB of that number's low byte.
import FileStore
import Foundation

let store = DiskFileStore(at: URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory))
var version: UInt64 = 0
while true {
    version += 1
    let number = withUnsafeBytes(of: version.littleEndian) { Data($0) }
    let filling = Data(repeating: UInt8(truncatingIfNeeded: version), count: 256 << 10)
    try await store.save(number + filling, to: "a/b/versions")
    try FileHandle.standardOutput.write(contentsOf: Data("\(version)\n".utf8))
}
