#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Calls `body` as a user whom permissions bind, also where root runs the tests.
///
/// On Linux the user of file accesses belongs to the thread: setfsuid(2). Elsewhere tests are not
/// run by root.
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
        guard let symbol = dlsym(nil, "setfsuid") else { fatalError("there is no setfsuid") }
        return unsafeBitCast(symbol, to: Call.self)(user)
    }
#endif
