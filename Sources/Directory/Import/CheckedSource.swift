import FileSystem
public import Foundation

/// A file that an import skipped, because it is not a readable regular file.
public struct SkippedFile: Sendable {
    /// The URL of the file.
    public let url: URL
    /// Why it was skipped: the code is `sourceMissing`, `sourceNotFile`, `notDownloaded`, `accessDenied` or
    /// `ioFailure`.
    public let error: DirectoryError
}

/// A file that an import was able to open.
struct CheckedSource: Sendable {
    let url: URL
    let byteCount: Int
}

extension CheckedSource {
    /// Opens the file at `url` once, before any file is copied.
    init(_ url: URL) throws {
        self.url = url
        byteCount = try url.withAccess { try ImportSource(importing: url).status.size }
    }

    /// The files at `urls` that can be imported, and those that cannot.
    static func checkEach(_ urls: [URL]) throws -> ([CheckedSource], skipped: [SkippedFile]) {
        var skipped: [SkippedFile] = []
        let sources = try urls.compactMap { url in
            do {
                return try CheckedSource(url)
            } catch let error as DirectoryError {
                skipped.append(SkippedFile(url: url, error: error))
                return nil
            }
        }
        return (sources, skipped)
    }
}

extension [CheckedSource] {
    /// The size of all files together.
    var byteCount: Int { map(\.byteCount).sizeTogether }
}

extension Sequence<Int> {
    /// The sum of these sizes; at most the largest `Int`, because sparse files can have larger
    /// sums.
    var sizeTogether: Int { reduce(0) { $0.addingUpToMax($1) } }
}

extension FixedWidthInteger {
    func addingUpToMax(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
