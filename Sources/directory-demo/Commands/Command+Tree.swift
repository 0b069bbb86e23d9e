extension Command {
    @Sendable static func tree(_ call: Call) throws { try call.store.printTree() }
}
