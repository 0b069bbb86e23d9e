import Foundation
import Testing

/// Calls `body` as a user to whom permissions apply, even if root runs the tests.
///
/// On Linux the user of file accesses belongs to the thread: setfsuid(2). On other systems root
/// does not run the tests.
public func withoutPrivileges<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if os(Linux)
        let root = setFileUser(65_534)
        defer { _ = setFileUser(root) }
    #endif
    return try body()
}

#if os(Linux)
    /// Calls setfsuid(2), which the module of the C library lacks, and returns the user before.
    private func setFileUser(_ user: CInt) -> CInt {
        typealias Call = @convention(c) (CInt) -> CInt
        guard let symbol = dlsym(nil, "setfsuid") else {
            Issue.record("the C library has no setfsuid")
            return user
        }
        return unsafeBitCast(symbol, to: Call.self)(user)
    }
#endif
