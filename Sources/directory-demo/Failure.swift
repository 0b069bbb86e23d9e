import Directory
import Foundation

/// Why the demo ends with another status than 0: one line for standard error.
struct Failure: Error {
    /// The exit status.
    enum Code: Int32 {
        case operation = 1
        /// EX_USAGE of sysexits.h.
        case usage = 64
        /// What shells report of a process that SIGINT ended.
        case cancelled = 130
    }

    let code: Code
    let message: String
    /// How it is called correctly, for `usage`.
    let usage: String?

    init(_ code: Code, _ message: String, usage: String? = nil) {
        self.code = code
        self.message = message
        self.usage = usage
    }

    /// Describes any error as a failure.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure:
            self = failure
        case let error as DirectoryError:
            self.init(error.code == .cancelled ? .cancelled : .operation, error.message)
        case is CancellationError:
            self.init(.cancelled, "cancelled; nothing was changed")
        default:
            self.init(.operation, error.localizedDescription)
        }
    }
}
