package import FileSystem
import Testing

/// Runs `body`, which must throw a ``FileSystemError`` with `code`.
package func expectError<Result>(
    _ code: Errno, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, _ body: () throws -> Result
) {
    let location = SourceLocation(
        fileID: fileID, filePath: filePath, line: line, column: column)
    do {
        _ = try body()
        Issue.record("Nothing failed with \(code.reason)", sourceLocation: location)
    } catch let error as FileSystemError {
        guard error.code != code else { return }
        Issue.record("\(error), instead of \(code.reason)", sourceLocation: location)
    } catch {
        Issue.record(error, sourceLocation: location)
    }
}
