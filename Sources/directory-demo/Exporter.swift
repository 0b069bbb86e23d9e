import FileStore
import Foundation

/// Copies files into a folder of the user's: all of them, or none.
struct Exporter {
    /// A file to export.
    struct File: Sendable {
        enum Bytes { case at(URL), text(String) }

        let name: String
        let bytes: Bytes
    }

    private let store: DiskFileStore
    private let path: String
    /// The folders that are missing, the deepest first.
    private let missing: [String]

    /// Prepares an export to `folder`, which need not exist; a link to one is followed.
    init(to folder: URL) {
        let folder = folder.absoluteURL.resolvingSymlinksInPath()
        path = folder.path
        // Without protection, because the permissions of the folder are the user's affair.
        store = DiskFileStore(at: folder, fileProtection: .none)
        let folders = sequence(first: folder) { $0.deletingLastPathComponent() }
        missing =
            folders.lazy.map(\.path)
            .prefix { !FileManager.default.fileExists(atPath: $0) } + []
    }

    /// Exports `files` and returns the names they have now; Ctrl-C cancels until all are there.
    ///
    /// - Throws: ``Failure``, or `CancellationError`; what was written is removed again.
    func run(_ files: [File]) async throws -> [String] {
        let task = Task {
            var written: [StoredFile] = []
            do {
                for file in files { written.append(try await write(file)) }
            } catch {
                // A task of its own, which is not cancelled.
                await Task { [written] in await remove(written) }.value
                throw error
            }
            return written.map(\.name)
        }
        let interrupt = Interrupt { task.cancel() }
        defer { interrupt.finish() }
        return try await task.value
    }

    /// Writes a new file: `moon.png`, or `moon 2.png` and so on while the name is taken.
    private func write(_ file: File) async throws -> StoredFile {
        let names = ExportName(file.name)
        var number = 1
        while true {
            let name = names.numbered(number)
            do {
                switch file.bytes {
                case .at(let url): try await store.copy(from: url, to: name, overwrite: false)
                case .text(let text):
                    try await store.save(Data(text.utf8), to: name, overwrite: false)
                }
                return try store.info(for: name)
            } catch let error as FileStoreError where error.isTaken(name) {
                number += 1
            } catch let error as FileStoreError {
                throw Failure(
                    .operation, "cannot export \(name) to \(path): \(error.localizedDescription)")
            }
        }
    }

    /// Removes what this export has written, unless it was changed since, and made.
    ///
    /// Best effort: the error that led here is the one to report.
    private func remove(_ written: [StoredFile]) async {
        for file in written where (try? store.info(for: file.relativePath)) == file {
            try? await store.delete(file.relativePath)
        }
        for folder in missing where rmdir(folder) != 0 { break }
    }
}

extension FileStoreError {
    /// Whether a file, a folder or a link is at `path` already.
    fileprivate func isTaken(_ path: String) -> Bool {
        switch self {
        case .fileAlreadyExists(path), .isDirectory(path): true
        // The path itself is a good one.
        case .invalidPath(path, _): true
        default: false
        }
    }
}
