import AppFolders
import Directory
import DirectoryReplicas
import FileStore
import Foundation

/// The reason why the demo does not end with status 0, as one line for standard error.
struct Failure: Error {
    /// The exit status.
    enum Code: Int32 {
        case operation = 1
        /// EX_USAGE of sysexits.h.
        case usage = 64
        /// The status that shells report for a process ended by SIGINT.
        case cancelled = 130
        /// The status that shells report for a process ended by SIGTERM.
        case terminated = 143
    }

    let code: Code
    let message: String
    /// The remedy: a second line.
    let hint: String?

    init(_ code: Code, _ message: String, hint: String? = nil) {
        (self.code, self.message, self.hint) = (code, message, hint)
    }

    /// Makes the failure of a command whose arguments were valid.
    init(_ message: String, hint: String? = nil) { self.init(.operation, message, hint: hint) }

    /// Makes the failure that describes any error.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        // People who type commands understand the texts for developers.
        case let error as DirectoryError: self.init(error.message)
        case let error as FileStoreError: self.init(error.description)
        case let error as ReplicaError: self.init(error.reason)
        case let error as AppFolderError: self.init(error.message)
        case is CancellationError: self.init(Interrupt.code, "cancelled; nothing was changed")
        default: self.init(Self.reason(of: error))
        }
    }
}

extension Failure {
    /// Ends a command that did the rest of its work, if it has `failures`.
    ///
    /// - Throws: The last one, after the others have been reported.
    static func check(_ failures: [Failure]) throws {
        failures.dropLast().forEach { Output.report($0.message, $0.hint) }
        if let last = failures.last { throw last }
    }
}

extension Failure {
    /// The reason of the system call that failed, if `error` is that of one or caused by one; else its description.
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        case let error as CocoaError:
            error.underlying.map(reason) ?? error.localizedDescription
        default: error.localizedDescription
        }
    }
}

extension POSIXError {
    /// The error of the system call that failed last: errno(3).
    static var last: POSIXError { POSIXError(Code(rawValue: errno) ?? .EIO) }
}
