import DirectoryReplicas
import FileSystem
import Synchronization
import TestSupport

/// The files that devices have put into their folders, in order, also those that were covered by others at once.
final class SentFiles: Sendable {
    struct File: Sendable {
        var content: SegmentName.Content
        var bytes: [UInt8]
    }

    private let files = Mutex<[File]>([])

    /// Returns the files since the last call.
    func take() -> [File] {
        files.withLock { files in
            defer { files = [] }
            return files
        }
    }

    /// `fate`, which also notes each file that gets its name.
    func recording(
        _ fate: @escaping @Sendable (Int, String) -> ProcessFileSystem.Fate,
        on disk: MemoryFileSystem
    ) -> @Sendable (Int, String) -> ProcessFileSystem.Fate {
        { [self] number, line in
            let outcome = fate(number, line)
            guard case .works = outcome, line.hasPrefix("rename "), line.contains("/replicas/"),
                case let names = line.dropFirst(7).split(separator: " to ").map(String.init),
                names.count == 2,
                let name = names[1].split(separator: "/").last.flatMap({ FileName($0) })
                    .flatMap(SegmentName.init), let bytes = try? read(names[0], disk)
            else { return outcome }
            files.withLock { $0.append(File(content: name.content, bytes: bytes)) }
            return outcome
        }
    }

    private func read(_ path: String, _ disk: MemoryFileSystem) throws -> [UInt8]? {
        let parts = path.split(separator: "/").map(String.init)
        let folder = try disk.openFolder(at: "/" + parts.dropLast().joined(separator: "/"))
        return try disk.readAll(FileName(validating: parts.last ?? ""), in: folder)
    }
}
