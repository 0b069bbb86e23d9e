import Foundation

extension URL {
    /// The file at `path`, or the visible files in the folder at `path`, by name, depth first.
    ///
    /// A missing file and one that is not a regular file are in the result as well, because the
    /// import refuses them with the reason.
    static func filesToImport(at path: String) throws -> [URL] {
        guard !path.isEmpty else { throw Failure(.operation, "the path of a file is empty") }
        // With a slash at the end, a link to a folder would be followed.
        let end = path.lastIndex { $0 != "/" }
        return try URL(filePath: end.map { String(path[...$0]) } ?? "/").filesToImport()
    }

    private func filesToImport() throws -> [URL] {
        // Nil for a missing file.
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: path(percentEncoded: false))
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else { return [self] }
        return try visibleEntries().flatMap { try $0.filesToImport() }
    }
}
