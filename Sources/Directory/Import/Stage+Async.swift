import Dispatch
public import Foundation

/// Each method here does what the one of the same name without `async` does, but does not block
/// the caller's thread while it waits. Cancelling the task cancels the copy.
extension Stage {
    /// Stages a new file with the bytes of `data`.
    ///
    /// - Returns: The staged file.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func write(_ data: Data, name: String = "") async throws -> StagedAsset {
        try await perform { try $0.write(data, name: name) }
    }

    /// Stages a copy of the file at `url`, which shares its bytes if the volume can do that.
    ///
    /// - Returns: The staged file.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func copy(_ url: URL, progress: Progress? = nil) async throws -> StagedAsset {
        try await cancelling(progress) { progress in
            try await perform { try $0.copy(url, progress: progress) }
        }
    }

    /// Stages copies of the files at `urls`, several at a time: all of them, or none.
    ///
    /// - Returns: The staged files, in the order of `urls`.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func copy(_ urls: [URL], progress: Progress? = nil) async throws -> [StagedAsset] {
        try await cancelling(progress) { progress in
            try await perform { try $0.copy(urls, progress: progress) }
        }
    }

    /// Stages copies of the files at `urls`, and leaves out what is not a readable regular file.
    ///
    /// - Returns: The staged files and the others, both in the order of `urls`.
    /// - Throws: What the synchronous method throws.
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
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func move(_ url: URL, progress: Progress? = nil) async throws -> StagedAsset {
        try await cancelling(progress) { progress in
            try await perform { try $0.move(url, progress: progress) }
        }
    }

    /// Stages `staged`, a file in the system's temporary folder, which is removed after the new
    /// staged file was inserted.
    ///
    /// - Returns: The staged file.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func move(_ staged: StagedAsset) async throws -> StagedAsset {
        try await perform { try $0.move(staged) }
    }

    /// Removes the staged files, but no source.
    ///
    /// - Throws: What the synchronous method throws.
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
