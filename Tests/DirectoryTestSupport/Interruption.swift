package import FileSystem
import Synchronization
package import TestSupport
import Testing

/// An action that runs once, before a call of some process.
package final class Interruption: Sendable {
    private let action = Mutex<(@Sendable () throws -> Void)?>(nil)

    package init() {}

    package func set(_ body: @escaping @Sendable () throws -> Void) {
        action.withLock { $0 = body }
    }

    package var hasRun: Bool { action.withLock { $0 == nil } }

    /// A process that runs the action before its first call whose line in the log has this prefix
    /// and this suffix.
    package func process(
        on fileSystem: any FileSystem = LocalFileSystem(), beforeCall prefix: String,
        _ suffix: String
    ) -> ProcessFileSystem {
        ProcessFileSystem(fileSystem) { [self] _, call in
            if call.hasPrefix(prefix), call.hasSuffix(suffix) { run() }
            return .works
        }
    }

    package func run() {
        let body = action.withLock { action in
            defer { action = nil }
            return action
        }
        #expect(throws: Never.self) { try body?() }
    }
}
