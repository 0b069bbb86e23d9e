import FileStore
import Foundation

/// Copies files into a folder of the user, all or none.
struct Exporter {
    /// A file to export.
    struct File: Sendable {
        enum Bytes { case at(URL), text(String) }

        let name: String
        let bytes: Bytes
    }

    private let store: DiskFileStore
    private let path: String
    /// The missing folders on the path, the deepest first.
    private let missing: [String]

    /// Prepares an export to `folder`, which may be missing, or a link to a folder.
    init(to folder: URL) {
        let folder = folder.absoluteURL.resolvingSymlinksInPath()
        path = folder.path
        // Without protection, because the user sets the permissions of the folder.
        store = DiskFileStore(at: folder, fileProtection: .none)
        missing =
            folder.ancestors.map(\.path)
            .prefix { !FileManager.default.fileExists(atPath: $0) } + []
    }

    /// Exports `files`, and returns the names of the copies; Ctrl-C cancels before the end.
    ///
    /// - Throws: ``Failure`` or `CancellationError`, after the files and folders that were made
    ///   are removed.
    func run(_ files: [File]) async throws -> [String] {
        let task = Task {
            var written: [StoredFile] = []
            do {
                try makeFolder()
                for file in files { written.append(try await write(file)) }
            } catch {
                // The removal is a new task, because the current task may be cancelled.
                await Task { [written] in await remove(written) }.value
                throw error
            }
            return written.map(\.name)
        }
        let interrupt = Interrupt { task.cancel() }
        defer { interrupt.finish() }
        return try await task.value
    }

    /// Makes the missing folders on the path.
    ///
    /// - Throws: ``Failure`` with the path of the folder that cannot be made, or that is a file.
    private func makeFolder() throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
        {
            throw Failure("cannot export to \(path): it is not a folder")
        }
        for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
            throw Failure.ofSystem("cannot make the folder \(folder) to export to")
        }
    }

    /// Writes a new file: `moon.png`, or `moon 2.png` and so on while the name is taken.
    private func write(_ file: File) async throws -> StoredFile {
        var number = 1
        while true {
            let name = file.name.numbered(number)
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
                throw Failure("cannot export \(name) to \(path): \(error.localizedDescription)")
            }
        }
    }

    /// Removes the files that this export wrote, unless they have changed, and the folders that
    /// it made.
    ///
    /// Best effort: the caller reports the error of the export.
    private func remove(_ written: [StoredFile]) async {
        for file in written where (try? store.info(for: file.relativePath)) == file {
            try? await store.delete(file.relativePath)
        }
        for folder in missing where rmdir(folder) != 0 { break }
    }
}

extension FileStoreError {
    /// Whether a file, a folder or a link at `path` is the reason.
    fileprivate func isTaken(_ path: String) -> Bool {
        switch self {
        case .fileAlreadyExists(path), .isDirectory(path): true
        // A link, because the path itself is valid.
        case .invalidPath(path, _): true
        default: false
        }
    }
}

extension String {
    /// The name of an exported file: `moon.png` for 1, `moon 2.png` for 2; a long stem is cut.
    fileprivate func numbered(_ number: Int) -> String {
        let dot = dropFirst().lastIndex(of: ".") ?? endIndex
        // An ending of more than 32 bytes is not taken for an extension.
        let suffix = self[dot...].utf8.count <= 32 ? self[dot...] : ""
        let end = (number == 1 ? "" : " \(number)") + suffix
        var stem = dropLast(suffix.count)
        // NAME_MAX
        while stem.utf8.count + end.utf8.count > 255 { stem.removeLast() }
        return stem + end
    }
}
