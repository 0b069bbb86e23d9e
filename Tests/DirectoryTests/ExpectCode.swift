import Directory
import Testing

/// Runs `body`, which must throw a ``DirectoryError`` with `code`.
func expectCode<Value>(
    _ code: DirectoryError.Code, _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) {
    check(Result(catching: body), code, comment, location)
}

/// Runs `body`, which must throw a ``DirectoryError`` with `code`.
func expectCode<Value>(
    _ code: DirectoryError.Code, _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async {
    do {
        check(Result.success(try await body()), code, comment, location)
    } catch {
        check(Result<Value, any Error>.failure(error), code, comment, location)
    }
}

private func check<Value>(
    _ result: Result<Value, any Error>, _ code: DirectoryError.Code, _ comment: Comment?,
    _ location: SourceLocation
) {
    switch result {
    case .success:
        Issue.record("nothing was thrown, instead of \(code)", sourceLocation: location)
    case .failure(let error as DirectoryError):
        guard error.code != code else { return }
        Issue.record(
            "\(error.code) instead of \(code): \(error) \(comment?.rawValue ?? "")",
            sourceLocation: location)
    case .failure(let error): Issue.record(error, comment, sourceLocation: location)
    }
}
