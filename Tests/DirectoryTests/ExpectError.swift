import Directory
import Testing

/// Expects `body` to throw a ``DirectoryError`` with `code`, and returns it.
@discardableResult
func expectError<Result>(
    _ code: DirectoryError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) -> DirectoryError? {
    check(Swift.Result { _ = try body() }, code, sourceLocation)
}

/// Expects `body` to throw a ``DirectoryError`` with `code`, and returns it.
@discardableResult
func expectError<Result>(
    _ code: DirectoryError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Result
) async -> DirectoryError? {
    do {
        _ = try await body()
        return check(.success(()), code, sourceLocation)
    } catch {
        return check(.failure(error), code, sourceLocation)
    }
}

private func check(
    _ outcome: Result<Void, any Error>, _ code: DirectoryError.Code, _ location: SourceLocation
) -> DirectoryError? {
    switch outcome {
    case .success:
        Issue.record("nothing was thrown instead of \(code)", sourceLocation: location)
    case .failure(let error as DirectoryError):
        #expect(error.code == code, "\(error)", sourceLocation: location)
        return error
    case .failure(let error):
        Issue.record(error, "not a DirectoryError", sourceLocation: location)
    }
    return nil
}
