/// Waits until `condition` holds; returns false if it does not within 20 seconds and 5,000 looks.
///
/// Both, because the tests that run at the same time can take all threads for minutes. Each look comes
/// after the tasks that were waiting for a thread.
package func eventually(_ condition: @Sendable () throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    var looks = 0
    while try !condition() {
        guard looks < 5_000 || ContinuousClock.now < deadline else { return false }
        looks += 1
        // Cancellation only makes the waiting busier.
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
