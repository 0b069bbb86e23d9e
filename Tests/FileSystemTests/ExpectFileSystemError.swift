import FileSystem
import Testing

/// Expects `body` to throw a ``FileSystemError`` with `code`.
func expectFileSystemError<Result>(
    _ code: Errno, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
    do {
        _ = try body()
        Issue.record("no error with \(code.reason) was thrown", sourceLocation: sourceLocation)
    } catch let error as FileSystemError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
