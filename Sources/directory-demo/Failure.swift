import Directory
import Foundation

/// The reason why the demo does not end with status 0: one line for standard error.
struct Failure: Error {
    /// The exit status.
    enum Code: Int32 {
        case operation = 1
        /// EX_USAGE of sysexits.h.
        case usage = 64
        /// The status that shells report for a process ended by SIGINT.
        case cancelled = 130
    }

    let code: Code
    let message: String
    /// The correct usage, if the code is `usage`.
    let usage: String?

    init(_ code: Code, _ message: String, usage: String? = nil) {
        self.code = code
        self.message = message
        self.usage = usage
    }

    /// Makes the failure that describes any error.
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
