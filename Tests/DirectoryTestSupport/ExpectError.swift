package import Directory
package import Testing

/// Expects `body` to throw a ``DirectoryError`` with `code`, and returns it.
@discardableResult
package func expectError<Result>(
    _ code: DirectoryError.Code, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> DirectoryError? {
    check(Swift.Result { _ = try body() }, code, comment, sourceLocation)
}

/// Expects `body` to throw a ``DirectoryError`` with `code`, and returns it.
@discardableResult
package func expectError<Result>(
    _ code: DirectoryError.Code, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
) async -> DirectoryError? {
    do {
        _ = try await body()
        return check(.success(()), code, comment, sourceLocation)
    } catch {
        return check(.failure(error), code, comment, sourceLocation)
    }
}

private func check(
    _ outcome: Result<Void, any Error>, _ code: DirectoryError.Code, _ comment: Comment?,
    _ location: SourceLocation
) -> DirectoryError? {
    switch outcome {
    case .success:
        Issue.record("no \(code) was thrown \(comment?.rawValue ?? "")", sourceLocation: location)
    case .failure(let error as DirectoryError):
        #expect(error.code == code, "\(error) \(comment?.rawValue ?? "")", sourceLocation: location)
        return error
    case .failure(let error):
        Issue.record(error, comment, sourceLocation: location)
    }
    return nil
}
