import Directory
import Foundation

/// Makes a change, and says so if it waits for another process that changes the same index.
///
/// A change that finds the index locked changes nothing, so it can be made again.
///
/// - Parameters:
///   - isCancelled: Whether the user wants to wait no longer; asked after each second.
///   - change: The change, whose collections have ``Store/options``.
/// - Returns: The result of `change`.
/// - Throws: An error of `change`, which is `locked` after 30 attempts; `CancellationError` if the wait
///   is cancelled.
func waiting<Result>(
    unless isCancelled: () -> Bool = { false }, _ change: () throws -> Result
) throws -> Result {
    for attempt in 1..<30 {
        do {
            return try change()
        } catch let error as DirectoryError where error.code == .locked {
            if isCancelled() { throw CancellationError() }
            guard attempt == 1 else { continue }
            let path = error.url.index.path(percentEncoded: false)
            Output.report("waiting for another process that changes \(path)")
        }
    }
    return try change()
}

extension Directory {
    /// Makes a change like ``waiting(unless:_:)``, then closes the collection, which writes the change into the index.
    func changing<Result>(
        unless isCancelled: () -> Bool = { false }, _ change: (Directory) throws -> Result
    ) throws -> Result {
        let result = try waiting(unless: isCancelled) { try change(self) }
        try waiting { try close() }
        return result
    }

    /// Makes several changes in one commit, as ``changing(unless:_:)`` does.
    func commit<Result>(_ body: (inout Draft) throws -> Result) throws -> Result {
        try changing { try $0.write(body) }
    }
}

extension URL {
    /// The index whose lock file this is: `photos.json` for `.photos.lock`; any other URL as it is.
    fileprivate var index: URL {
        guard let name = lastPathComponent.wholeMatch(of: /\.(.+)\.lock/)?.1 else { return self }
        return deletingLastPathComponent().appending(path: "\(name).json")
    }
}
