/// Waits until `condition` holds, at most 20 seconds; returns whether it does.
func eventually(_ condition: @Sendable () throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return false }
        // Cancellation only makes the waiting busier.
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
