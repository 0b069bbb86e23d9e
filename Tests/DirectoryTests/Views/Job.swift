import DirectoryTestSupport
import Directory
import FileSystem
import Foundation

/// An item of views; with another tag it is the same record, as another process sees it.
struct Job<Tag: Sendable>: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var group = 0
    var rank = 0
    var isDone = false
}

enum Here {}
enum There {}

/// The jobs of one index in memory, as this process and as another one sees them.
struct Jobs {
    let here: Directory<Job<Here>>
    let others: Directory<Job<There>>

    init() throws {
        let disk = MemoryFileSystem()
        let options = DirectoryOptions(durability: .relaxed)
        _ = try disk.openOrMakeFolder("store", in: disk.openFolder(at: "/"), mode: 0o700)
        let folder = URL(filePath: "/store")
        here = try Directory(at: folder, index: "jobs.json", options: options, on: disk)
        others = try Directory(at: folder, index: "jobs.json", options: options, on: disk)
    }
}
