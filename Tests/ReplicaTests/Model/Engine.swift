import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport

/// A file-sync engine at its worst: any order, torn files first, copies under other names, late deletions.
struct Engine {
    let disk: MemoryFileSystem
    var random: SeededGenerator
    /// How often a file arrives in part first, and how often it arrives twice.
    var (torn, strange) = (0.1, 0.05)
    /// How often a bit of a file flips on its way.
    var flipped = 0.0
    private var known: [String: Set<String>] = [:]
    private var queues: [String: [Delivery]] = [:]

    private struct Delivery {
        var path: String
        /// Nil if the file was removed.
        var bytes: [UInt8]?
    }

    init(_ disk: MemoryFileSystem, _ names: [String], seed: UInt64) {
        (self.disk, random) = (disk, SeededGenerator(seed: seed))
        for name in names { add(name) }
    }

    private mutating func add(_ name: String) { (known[name], queues[name]) = ([], []) }

    /// Adds a device, which gets everything that others have.
    mutating func join(_ name: String) throws {
        add(name)
        for other in known.keys.sorted() where other != name {
            for (path, bytes) in try files(of: other).sorted(by: { $0.key < $1.key })
            where !path.contains("conflict") {
                if try isWhole(path, bytes) {
                    queues[name]?.append(.init(path: path, bytes: bytes))
                }
            }
        }
    }

    private func isWhole(_ path: String, _ bytes: [UInt8]) throws -> Bool {
        let hash = SHA256.hash(bytes).description
        guard let file = FileName(path.split(separator: "/").last.map(String.init) ?? "") else {
            return false
        }
        if let name = SegmentName(file) { return hash.hasPrefix(name.hash) }
        return path.hasPrefix("assets/") ? hash == file.string : true
    }

    /// Notices what devices have added and removed.
    mutating func scan() throws {
        for name in known.keys.sorted() {
            let files = try files(of: name)
            for (path, bytes) in files.sorted(by: { $0.key < $1.key })
            where known[name]?.insert(path).inserted == true {
                for other in known.keys.sorted() where other != name {
                    queues[other]?.append(.init(path: path, bytes: bytes))
                }
            }
            for path in (known[name] ?? []).subtracting(files.keys).sorted() {
                known[name]?.remove(path)
                for other in known.keys.sorted() where other != name {
                    queues[other]?.append(.init(path: path, bytes: nil))
                }
            }
        }
    }

    var isEmpty: Bool { queues.values.allSatisfy(\.isEmpty) }

    /// Brings some files to a device, in any order.
    mutating func deliver(to name: String, count: Int) throws {
        for _ in 0..<count {
            guard let queue = queues[name], let any = queue.randomElement(using: &random),
                // Engines keep the order of what happens to one name.
                let place = queue.firstIndex(where: { $0.path == any.path })
            else { return }
            let delivery = queue[place]
            if let bytes = delivery.bytes, Double.random(in: 0..<1, using: &random) < torn {
                let part = bytes.prefix(.random(in: 0...bytes.count, using: &random))
                try write(Array(part), delivery.path, name)
                continue
            }
            queues[name]?.remove(at: place)
            guard let bytes = delivery.bytes else {
                try remove(delivery.path, name)
                continue
            }
            if Double.random(in: 0..<1, using: &random) < strange {
                let copy = delivery.path.replacing(".jsonl", with: ".sync-conflict-1-ABC.jsonl")
                try write(bytes, copy, name)
            }
            try write(damaged(bytes, delivery.path) ?? bytes, delivery.path, name)
        }
    }

    /// The bytes with another bit, if that happens to this file.
    private mutating func damaged(_ bytes: [UInt8], _ path: String) -> [UInt8]? {
        guard flipped > 0, path.contains("/"), Double.random(in: 0..<1, using: &random) < flipped,
            let place = bytes.indices.randomElement(using: &random)
        else { return nil }
        var bytes = bytes
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        return bytes
    }

    private mutating func write(_ bytes: [UInt8], _ path: String, _ name: String) throws {
        let parts = path.split(separator: "/").map(String.init)
        let folder = "/" + ([name, "shared"] + parts.dropLast()).joined(separator: "/")
        let handle = try disk.openOrMakeFolder(at: folder, mode: 0o755)
        let file = try disk.openFile(
            FileName(validating: parts.last ?? ""), in: handle, for: .openOrCreate(mode: 0o644))
        try disk.truncate(file, to: 0)
        try disk.write(bytes, to: file, at: 0)
        known[name]?.insert(path)
    }

    private mutating func remove(_ path: String, _ name: String) throws {
        let parts = path.split(separator: "/").map(String.init)
        let folder = "/" + ([name, "shared"] + parts.dropLast()).joined(separator: "/")
        try disk.unlessMissing {
            try disk.removeFile(
                FileName(validating: parts.last ?? ""), in: disk.openFolder(at: folder))
        }
        known[name]?.remove(path)
    }

    /// The files in the shared folder of a device, by their paths.
    func files(of name: String) throws -> [String: [UInt8]] {
        let top = try disk.openOrMakeFolder(at: "/\(name)/shared", mode: 0o755)
        var files: [String: [UInt8]] = [:]
        func add(_ folder: Handle, _ path: String) throws {
            for name in try disk.list(folder) where !name.isHidden {
                if try disk.status(of: name, in: folder)?.kind == .folder {
                    try add(disk.openFolder(name, in: folder), "\(path)\(name)/")
                } else {
                    files["\(path)\(name)"] = try disk.readAll(name, in: folder)
                }
            }
        }
        try add(top, "")
        return files
    }
}
