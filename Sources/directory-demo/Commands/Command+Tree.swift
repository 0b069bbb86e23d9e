extension Command {
    @Sendable static func tree(_ call: Call) throws {
        try Failures.check(call.store.printTree())
    }
}
