import FileSystem
import Foundation
import Synchronization

/// Where to open a collection: on the disk, or in a volume in memory.
struct Place {
    var folder: URL
    /// The volume with the folder; nil if the folder is on the disk.
    var volume: MemoryVolume?

    var fileSystem: any FileSystem { volume?.fileSystem ?? LocalFileSystem() }
}

extension Place {
    /// Finds the volume with the folder at `url`: the innermost one, and of several at the same
    /// folder the newest; without one, the folder is on the disk.
    init(of url: URL) {
        folder = url
        guard let (found, path) = MemoryVolume.find(url) else { return }
        volume = found
        // Every spelling of a path to the volume leads to the same folder in it.
        folder = path.reduce(found.url) {
            $0.appending(path: $1, directoryHint: .isDirectory)
        }
    }
}

extension MemoryVolume {
    private struct Entry {
        let id: ObjectIdentifier
        weak var volume: MemoryVolume?
        let paths: [[Substring]]
    }

    private static let volumes = Mutex<[Entry]>([])

    func register() {
        let entry = Entry(
            id: ObjectIdentifier(self), volume: self, paths: Self.paths(to: url))
        Self.volumes.withLock { $0.append(entry) }
    }

    func unregister() {
        Self.volumes.withLock { volumes in volumes.removeAll { $0.id == ObjectIdentifier(self) } }
    }

    /// The volume with `folder`, and the path to the folder in it.
    fileprivate static func find(_ folder: URL) -> (volume: MemoryVolume, path: [Substring])? {
        // Not under the lock, because the release of a volume takes it.
        let entries = volumes.withLock { $0 }
        if entries.isEmpty { return nil }
        let paths = paths(to: folder)
        var best: (volume: MemoryVolume, path: [Substring])?
        for entry in entries {
            guard let rest = rest(of: paths, in: entry.paths),
                rest.count <= best?.path.count ?? .max, let volume = entry.volume
            else { continue }
            best = (volume, rest)
        }
        return best
    }

    private static func rest(of paths: [[Substring]], in bases: [[Substring]]) -> [Substring]? {
        for path in paths {
            for base in bases where path.starts(with: base) {
                return Array(path.dropFirst(base.count))
            }
        }
        return nil
    }

    /// The path of a folder as it is spelled, without dots, and the path without symbolic links;
    /// empty if the URL is not that of a folder.
    private static func paths(to folder: URL) -> [[Substring]] {
        let path = folder.standardizedFileURL.path(percentEncoded: false)
        guard folder.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else { return [] }
        let parts = path.split(separator: "/")
        for count in stride(from: parts.count, to: 0, by: -1) {
            let existing = "/" + parts.prefix(count).joined(separator: "/")
            // Best effort: if a path cannot be resolved, the folders above it are.
            guard let resolved = try? LocalFileSystem().resolve(existing) else { continue }
            return [parts, resolved.map { Substring($0.string) } + parts.dropFirst(count)]
        }
        return [parts]
    }
}
