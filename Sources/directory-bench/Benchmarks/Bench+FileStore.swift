import FileStore
import Foundation

extension Bench {
    /// A durable save of `n` bytes, against open, write, fsync, rename and fsync of the folder.
    func saveFile(_ n: Int) async throws -> Measurement {
        let scratch = try Scratch()
        let store = DiskFileStore(at: scratch.url.appending(path: "store"))
        let folder = try scratch.makeFolder("reference")
        let bytes = [UInt8](repeating: 7, count: n)
        let data = Data(bytes)
        let medians = try await measure(rounds: rounds) { round in
            try await store.save(data, to: "\(round).bin")
        } reference: { round in
            try SystemCalls.save(bytes, as: "\(round).bin", in: folder)
        }
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 1.3))
    }

    /// A recursive list of `n` files in folders of 100, against readdir and stat.
    func listFiles(_ n: Int) async throws -> Measurement {
        try await walkFiles(n) { store in
            let files = try await store.list(recursive: true)
            guard files.count == n + n / 100 else { throw POSIXError(.EIO) }
        }
    }

    /// The total size of `n` files in folders of 100, against readdir and stat.
    func sizeFiles(_ n: Int) async throws -> Measurement {
        try await walkFiles(n) { store in
            guard try await store.totalSize() == UInt64(10 * n) else { throw POSIXError(.EIO) }
        }
    }

    private func walkFiles(
        _ n: Int, _ walk: (DiskFileStore) async throws -> Void
    ) async throws -> Measurement {
        let scratch = try Scratch()
        let files = try scratch.writeFiles(n)
        let store = DiskFileStore(at: files)
        let medians = try await measure(rounds: isQuick ? 5 : 49) { _ in
            try await walk(store)
        } reference: { _ in
            guard try SystemCalls.totalSize(of: files) == 10 * n else { throw POSIXError(.EIO) }
        }
        return Measurement(
            medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 1.5))
    }

    /// Deleting all of `n` files, against readdir, unlink and rmdir.
    func deleteFiles(_ n: Int) async throws -> Measurement {
        var pairs: [Pair] = []
        for _ in 0..<(isQuick ? 1 : 5) {
            let (scratch, bare) = (try Scratch(), try Scratch())
            let store = DiskFileStore(at: try scratch.writeFiles(n))
            let files = try bare.writeFiles(n)
            let seconds = try await time { try await store.deleteAll() }
            let reference = try time {
                try SystemCalls.remove(files)
                try SystemCalls.sync(bare.url)
            }
            pairs.append(Pair(ours: seconds, reference: reference))
        }
        return Measurement(
            medians: Pair(mediansOf: pairs), reference: .bareSystemCalls,
            goal: .ratio(atMost: 1.5))
    }

    /// The peak memory of a process that holds a list of `n` files, against one that holds their
    /// names and sizes.
    func listMemory(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        let files = try scratch.writeFiles(n)
        let medians = Pair(
            ours: try peak(of: "list", files), reference: try peak(of: "walk", files))
        return Measurement(medians: medians, reference: .bareSystemCalls, goal: .ratio(atMost: 2))
    }
}
