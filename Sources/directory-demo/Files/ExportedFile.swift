import Directory
import FileStore
import Foundation

/// A file to copy into a folder of the user.
struct ExportedFile: Sendable {
    enum Bytes { case at(URL), text(String) }

    let name: String
    let bytes: Bytes

    /// Copies all of `files` or none into `folder`, which may be missing, or a link to a folder.
    ///
    /// - Returns: The names of the copies.
    /// - Throws: ``Failure`` or `CancellationError`, after the files and folders that were made are removed.
    static func export(_ files: [ExportedFile], to folder: URL) async throws -> [String] {
        let folder = folder.absoluteURL.resolvingSymlinksInPath()
        // The deepest folder comes first.
        let missing = folder.ancestors.prefix { !FileManager.default.fileExists(atPath: $0.path) }
        var written: [String] = []
        do {
            if let status = folder.status, status.st_mode & S_IFMT != S_IFDIR {
                throw Failure("it is not a folder")
            }
            // If the folder cannot be listed, a name that is taken is an error of the copy.
            let present = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            // Without protection, because the user sets the permissions of the folder.
            let store = DiskFileStore(at: folder, fileProtection: .none)
            for file in files {
                let name = file.name.free(beside: present + written)
                switch file.bytes {
                case .at(let url): try await store.copy(from: url, to: name, overwrite: false)
                case .text(let text):
                    try await store.save(Data(text.utf8), to: name, overwrite: false)
                }
                written.append(name)
            }
            return written
        } catch {
            // Best effort: the error of the export is thrown. A folder with anything in it stays.
            for name in written {
                try? FileManager.default.removeItem(at: folder.appending(path: name))
            }
            for folder in missing where rmdir(folder.path) != 0 { break }
            if error is CancellationError { throw error }
            throw Failure("cannot export to \(folder.path): \(Failure(error).message)")
        }
    }
}

extension String {
    /// The name as one that every system accepts: `moon.png`, or `moon 2.png` and so on if the name is taken.
    fileprivate func free(beside names: [String]) -> String {
        let url = URL(filePath: self)
        let end = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
        let stems = names.filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
        return String(dropLast(end.count)).safeFolderName(beside: stems) + end
    }
}
