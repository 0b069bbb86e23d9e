public import Foundation

extension FileStoring {
    /// Saves `value` as JSON at `path`, replacing an existing file.
    ///
    ///     try await store.saveJSON(task, to: "tasks/42.json")
    ///     let task: Task = try await store.loadJSON("tasks/42.json")
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - path: The file's path in the store.
    ///   - encoder: The encoder; give one with your own strategies.
    /// - Throws: ``FileStoreError``: `encodingFailed`, `isDirectory`, `notADirectory`, `invalidPath`,
    ///   `directoryCreationFailed` or `writeFailed`. `CancellationError` if the task was cancelled
    ///   before the save began.
    public func saveJSON(
        _ value: some Encodable & Sendable, to path: String, encoder: JSONEncoder = JSONEncoder()
    ) async throws {
        let data: Data
        do {
            data = try encoder.encode(value)
        } catch {
            throw FileStoreError.encodingFailed(path: path, underlying: "\(error)")
        }
        try await save(data, to: path, overwrite: true)
    }

    /// The value in the JSON file at `path`.
    ///
    /// - Parameters:
    ///   - path: The file's path in the store.
    ///   - decoder: The decoder; give one with your own strategies.
    /// - Returns: The value.
    /// - Throws: ``FileStoreError``: `decodingFailed`, `fileNotFound`, `isDirectory`, `notADirectory`,
    ///   `invalidPath` or `readFailed`. `CancellationError` if the task was cancelled before the
    ///   file was opened.
    public func loadJSON<Value: Decodable & Sendable>(
        _ path: String, decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        let data = try await load(path)
        do {
            return try decoder.decode(Value.self, from: data)
        } catch {
            throw FileStoreError.decodingFailed(path: path, underlying: "\(error)")
        }
    }

    /// The value in the JSON file at `path`, nil if the file does not exist.
    ///
    /// An existing file that cannot be read or decoded is an error. Otherwise a program could take it
    /// for missing and replace it.
    ///
    /// - Parameters:
    ///   - path: The file's path in the store.
    ///   - decoder: The decoder; give one with your own strategies.
    /// - Returns: The value, or nil.
    /// - Throws: ``FileStoreError``: `decodingFailed`, `isDirectory`, `notADirectory`, `invalidPath` or
    ///   `readFailed`. `CancellationError` if the task was cancelled before the file was opened.
    public func loadJSONIfExists<Value: Decodable & Sendable>(
        _ path: String, decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value? {
        do {
            return try await loadJSON(path, decoder: decoder)
        } catch FileStoreError.fileNotFound {
            return nil
        }
    }
}
