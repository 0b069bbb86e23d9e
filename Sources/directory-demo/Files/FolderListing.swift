import Foundation

/// The visible files and folders in a folder.
struct FolderListing {
    /// Those whose names are valid UTF-8, by name.
    let urls: [URL]
    /// The names of the others, which a URL cannot have.
    let invalidNames: [InvalidName]

    var isEmpty: Bool { urls.isEmpty && invalidNames.isEmpty }

    /// Lists `folder`.
    ///
    /// - Throws: ``Failure`` with the path, which some errors of Foundation lack.
    init(of folder: URL) throws {
        let path = folder.path(percentEncoded: false)
        do {
            var urls = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
            invalidNames = try InvalidName.all(in: path)
            // Foundation replaces the bytes that are invalid. Another file may have that very name.
            for name in invalidNames {
                guard let index = urls.firstIndex(where: { $0.lastPathComponent == name.repaired })
                else { continue }
                urls.remove(at: index)
            }
            self.urls = urls.sorted { $0.lastPathComponent < $1.lastPathComponent }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.operation, "cannot list \(path): \(error.localizedDescription)")
        }
    }
}
