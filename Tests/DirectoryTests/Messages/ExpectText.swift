import Directory
import DirectoryTestSupport
import Foundation
import Testing

/// Expects an error that tells people this, word by word, and logs the path.
func expectText(
    _ code: DirectoryError.Code, _ text: String, _ advice: String?,
    at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    guard let error = expectError(code, sourceLocation: location, body) else { return }
    expectText(of: error, text, advice, at: location)
}

/// Expects that `error` tells people this, word by word, and logs the path.
func expectText(
    of error: DirectoryError, _ text: String, _ advice: String?,
    at location: SourceLocation = #_sourceLocation
) {
    #expect(error.localizedDescription == text, sourceLocation: location)
    #expect(error.recoverySuggestion == advice, sourceLocation: location)
    let reason = (error.failureReason ?? "").dropFirst()
    #expect(!reason.isEmpty && text.hasSuffix(reason), sourceLocation: location)
    let path = error.url.path(percentEncoded: false)
    #expect(
        error.message.hasPrefix("cannot \(error.operation) \(path): \(error.reason)"),
        sourceLocation: location)
}

/// What people are told about an error that only a change of the app can end.
let mistake = "This is a mistake in the app: report it to its developers."
