import Foundation

/// A file to import.
struct FileToImport {
    let url: URL
    let byteCount: Int

    /// The file at `path`, or the visible files in the folder at `path`, by name, depth first.
    ///
    /// A missing file and one that is not a regular file are in the result as well, because the
    /// import refuses them with the reason.
    static func files(at path: String) throws -> [FileToImport] {
        guard !path.isEmpty else { throw Failure(.operation, "the path of a file is empty") }
        // With a slash at the end, a link to a folder would be followed.
        let end = path.lastIndex { $0 != "/" }
        return try files(at: URL(filePath: end.map { String(path[...$0]) } ?? "/"))
    }

    /// The bytes of all `files`; the largest number if they have more, as sparse files can.
    static func byteCount(of files: [FileToImport]) -> Int {
        files.reduce(0) { sum, file in
            let (sum, isTooLarge) = sum.addingReportingOverflow(file.byteCount)
            return isTooLarge ? .max : sum
        }
    }

    private static func files(at url: URL) throws -> [FileToImport] {
        // Nil for a missing file.
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: url.path(percentEncoded: false))
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
            let byteCount = attributes?[.size] as? NSNumber
            return [FileToImport(url: url, byteCount: byteCount?.intValue ?? 0)]
        }
        return try url.visibleEntries().flatMap(files)
    }
}
