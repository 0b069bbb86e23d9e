import Foundation

extension URL {
    /// The visible files and folders in this folder, by name.
    ///
    /// - Throws: ``Failure`` with the path, which some errors of Foundation lack.
    func visibleEntries() throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(
                at: self, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
        } catch {
            let path = path(percentEncoded: false)
            throw Failure(.operation, "cannot list \(path): \(error.localizedDescription)")
        }
    }
}
