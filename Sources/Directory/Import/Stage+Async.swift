import Dispatch
public import Foundation

/// Each method here does the same as the method of the same name without `async`, but does not
/// block the caller's thread while it waits. Cancelling the task cancels the copying.
extension Stage {
    /// Stages a new file with the bytes of `data`.
    ///
    /// - Returns: The staged file.
    /// - Throws: ``DirectoryError`` with `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func write(_ data: Data, name: String = "") async throws -> StagedAsset {
        try await perform { try $0.write(data, name: name) }
    }

    /// Stages a copy of the file at `url`, which shares its bytes if the volume can do that.
    ///
    /// - Returns: The staged file.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `notDownloaded`,
    ///   `accessDenied`, `deviceLocked`, `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func copy(_ url: URL, progress: Progress? = nil) async throws -> StagedAsset {
        try await cancelling(progress) { progress in
            try await perform { try $0.copy(url, progress: progress) }
        }
    }

    /// Stages copies of the files at `urls`, several at a time: all of them, or none.
    ///
    /// - Returns: The staged files, in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `notDownloaded`,
    ///   `accessDenied`, `deviceLocked`, `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func copy(_ urls: [URL], progress: Progress? = nil) async throws -> [StagedAsset] {
        try await cancelling(progress) { progress in
            try await perform { try $0.copy(urls, progress: progress) }
        }
    }

    /// Stages copies of the files at `urls`, and skips everything that is not a readable regular
    /// file.
    ///
    /// - Returns: The staged and the skipped files, both in the order of `urls`.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `deviceLocked`, `stageClosed`, `noSpace` or
    ///   `ioFailure`.
    public func copy(readable urls: [URL], progress: Progress? = nil) async throws -> (
        staged: [StagedAsset], skipped: [SkippedFile]
    ) {
        try await cancelling(progress) { progress in
            try await perform { try $0.copy(readable: urls, progress: progress) }
        }
    }

    /// Stages the file at `url`, which is removed after the staged file was inserted.
    ///
    /// - Returns: The staged file.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `sourceMissing`, `sourceNotFile`, `sourceOwned`,
    ///   `notDownloaded`, `accessDenied`, `deviceLocked`, `stageClosed`, `noSpace` or `ioFailure`.
    @discardableResult
    public func move(_ url: URL, progress: Progress? = nil) async throws -> StagedAsset {
        try await cancelling(progress) { progress in
            try await perform { try $0.move(url, progress: progress) }
        }
    }

    /// Stages `staged`, a file in the system's temporary folder; it is removed after the new staged
    /// file was inserted.
    ///
    /// - Returns: The staged file.
    /// - Throws: ``DirectoryError`` with `sourceMissing`, `accessDenied`, `stageClosed`, `noSpace`
    ///   or `ioFailure`.
    @discardableResult
    public func move(_ staged: StagedAsset) async throws -> StagedAsset {
        try await perform { try $0.move(staged) }
    }

    /// Removes the staged files; their sources stay.
    ///
    /// - Throws: ``DirectoryError`` with `stageClosed`, `accessDenied` or `ioFailure`.
    public func discard() async throws {
        try await perform { try $0.discard() }
    }

    private func perform<Result: Sendable>(
        _ work: @escaping @Sendable (Stage) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { [self] in
                continuation.resume(with: Swift.Result { try work(self) })
            }
        }
    }
}
