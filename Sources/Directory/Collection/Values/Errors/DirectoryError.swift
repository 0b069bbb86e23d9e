package import FileSystem
public import Foundation

/// An error of a collection on disk: the operation, the path, the reason and the remedy.
///
/// When a call throws this error, nothing is lost and no change is half done, unless the code is
/// ``Code/inDoubt`` or the call is `repair()`. Test the code, log the message, and show people the
/// localized description and the recovery suggestion, which have no paths, ids or types:
///
///     do {
///         try projects.append(project)
///     } catch let error as DirectoryError where error.code == .nameTaken {
///         logger.error("\(error.message)")
///         alert(error.localizedDescription, error.recoverySuggestion)
///     }
public struct DirectoryError: Error, Sendable {
    /// The kind of the error.
    public let code: Code
    /// The operation that failed, as a verb phrase: "add to".
    public let operation: String
    /// The file or folder that the error is about.
    public let url: URL
    /// The reason, for developers: a sentence without its full stop, and without paths.
    public let reason: String
    /// The error that caused this one; nil if there is none.
    public let underlying: (any Error)?
    /// More text for logs; it can have paths.
    let detail: String?
    /// Advice for developers.
    package let remedy: String?
    /// The texts for people, if they differ from those for developers.
    var wording: Wording

    /// `remedy` replaces the advice that all errors with the code have.
    init(
        _ code: Code, _ operation: String, _ url: URL, _ reason: String,
        underlying: (any Error)? = nil, detail: String? = nil, remedy: String? = nil,
        people wording: Wording = Wording()
    ) {
        self.code = code
        self.operation = operation
        self.url = url
        self.reason = Self.withoutFullStop(reason)
        self.underlying = underlying
        self.detail = detail
        self.remedy = remedy ?? code.remedy
        self.wording = wording
        self.wording.reason = Self.withoutFullStop(wording.reason ?? code.usualReason)
        // The remedy of this error is better than the advice of its code.
        self.wording.remedy = wording.remedy ?? remedy ?? code.advice
    }

    /// Reasons can end with a text of Foundation, which has a full stop.
    private static func withoutFullStop(_ reason: String) -> String {
        reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }

    /// The operation, the path, the reason, and the remedy if there is one, in one line, for logs and
    /// developers.
    public var message: String {
        let cause = (underlying as? FileSystemError).map { " (\($0))" } ?? ""
        let detail = detail.map { " (\($0))" } ?? ""
        let path = url.path(percentEncoded: false)
        let remedy = remedy.map { ". \($0)" } ?? ""
        return "cannot \(operation) \(path): \(reason)\(detail)\(cause)\(remedy)"
    }
}

extension DirectoryError: CustomStringConvertible {
    /// The same as ``message``.
    public var description: String { message }
}

extension DirectoryError {
    /// Describes `error` as a failure of `operation` on `url`.
    package init(_ error: FileSystemError, _ operation: String, _ url: URL) {
        let code = Code(of: error)
        var (reason, remedy, wording) = (error.reason, error.remedy, Wording(usual: code))
        switch error.code {
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: wording = .tooManyFiles
        // The advice of the code is better: it names a function that frees space.
        case .noSpace, .quotaExceeded: remedy = nil
        case .crossDevice:
            // A transfer between two volumes is refused before; here both names are in one store.
            reason = "the volume cannot move it, as overlayfs cannot move a folder of a lower layer"
            remedy = "Make a copy with copy(to:) on another volume, and use that."
            wording = .immovable
        default:
            if let other = error.otherOwner.map(Wording.belonging) ?? .unfit(error.code) {
                wording = other
            }
        }
        self.init(
            code, operation, url, reason, underlying: error, remedy: remedy, people: wording)
    }

    /// The error of a URL that cannot be the URL of a folder.
    static func noFolder(_ operation: String, _ url: URL) -> DirectoryError {
        DirectoryError(
            .invalidLocation, operation, url, "it is not the absolute URL of a folder",
            remedy: "Give the absolute URL of a folder, as URL(filePath:) makes one.",
            people: Wording(usual: .invalidLocation))
    }

    /// The result of `body`, with the errors of the file system described as `operation` on `url`.
    static func describing<Result>(
        _ operation: String, _ url: @autoclosure () -> URL, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw DirectoryError(error, operation, url())
        }
    }
}
