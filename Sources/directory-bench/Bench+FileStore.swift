import FileStore
import Foundation

extension Bench {
    /// A durable save of a small file, against open, write, fsync, rename and fsync of the folder.
    func saveFile(_ n: Int) async throws -> Row {
        let scratch = try Scratch()
        let store = DiskFileStore(at: scratch.url.appending(path: "store"))
        let floor = scratch.url.appending(path: "floor")
        try FileManager.default.createDirectory(at: floor, withIntermediateDirectories: true)
        let bytes = [UInt8](repeating: 7, count: n)
        let data = Data(bytes)
        let pair = try await measure(rounds: rounds) { round in
            try await store.save(data, to: "\(round).bin")
        } reference: { round in
            try Floor.save(bytes, as: "\(round).bin", in: floor)
        }
        return Row("filestore.save", n: n, pair, reference: "floor", atMost: 1.3)
    }

    /// A recursive list of `n` files in folders of 100, against readdir and stat.
    func listFiles(_ n: Int) async throws -> Row {
        let scratch = try Scratch()
        try scratch.writeFiles(n)
        let store = DiskFileStore(at: scratch.files)
        let pair = try await measure(rounds: isQuick ? 5 : 49) { _ in
            let files = try await store.list(recursive: true)
            guard files.count == n + n / 100 else { throw POSIXError(.EIO) }
        } reference: { _ in
            guard try Floor.totalSize(of: scratch.files) == 10 * n else { throw POSIXError(.EIO) }
        }
        return Row("filestore.list", n: n, pair, reference: "floor", atMost: 1.5)
    }

    /// The total size of `n` files, against readdir and stat.
    func sizeFiles(_ n: Int) async throws -> Row {
        let scratch = try Scratch()
        try scratch.writeFiles(n)
        let store = DiskFileStore(at: scratch.files)
        let pair = try await measure(rounds: isQuick ? 5 : 49) { _ in
            guard try await store.totalSize() == UInt64(10 * n) else { throw POSIXError(.EIO) }
        } reference: { _ in
            guard try Floor.totalSize(of: scratch.files) == 10 * n else { throw POSIXError(.EIO) }
        }
        return Row("filestore.size", n: n, pair, reference: "floor", atMost: 1.5)
    }

    /// Deleting all of `n` files, against readdir, unlink and rmdir.
    func deleteFiles(_ n: Int) async throws -> Row {
        var times: (ours: [Double], floor: [Double]) = ([], [])
        for _ in 0..<(isQuick ? 1 : 5) {
            let (ours, floor) = (try Scratch(), try Scratch())
            for scratch in [ours, floor] { try scratch.writeFiles(n) }
            let store = DiskFileStore(at: ours.files)
            times.ours.append(
                try await ContinuousClock().measure { try await store.deleteAll() } / .seconds(1))
            times.floor.append(
                try time {
                    try Floor.remove(floor.files)
                    try Floor.sync(floor.url)
                })
        }
        let pair = Pair(ours: median(times.ours), reference: median(times.floor))
        return Row("filestore.delete", n: n, pair, reference: "floor", atMost: 1.5)
    }

    /// The peak memory of a process that holds a list of `n` files, against one that holds their
    /// names and sizes.
    func listMemory(_ n: Int) throws -> Row {
        let scratch = try Scratch()
        try scratch.writeFiles(n)
        let pair = Pair(
            ours: try peak(of: "list", scratch.files),
            reference: try peak(of: "walk", scratch.files))
        return Row("filestore.memory", n: n, pair, reference: "floor", atMost: 2)
    }
}

extension Scratch {
    var files: URL { url.appending(path: "files", directoryHint: .isDirectory) }

    /// Files of 10 bytes in ``files``, 100 to a folder.
    fileprivate func writeFiles(_ n: Int) throws {
        for folder in 0..<(n / 100) {
            let url = files.appending(path: "folder \(folder)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            for file in 0..<100 {
                try Data(count: 10).write(to: url.appending(path: "file \(file).bin"))
            }
        }
    }
}
