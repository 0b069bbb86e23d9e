/// A defect of this library: a data structure breaks one of its invariants.
struct InvariantViolation: Error, CustomStringConvertible {
    let description: String

    /// Throws if `condition` is false.
    static func require(
        _ condition: Bool, _ invariant: @autoclosure () -> String
    ) throws(InvariantViolation) {
        if !condition { throw InvariantViolation(description: "broken invariant: \(invariant())") }
    }
}

/// Stops a debug build if `check` throws; a release build does not call it.
func assertInvariants(_ check: @autoclosure () throws(InvariantViolation) -> Void) {
    assert(
        {
            do throws(InvariantViolation) {
                try check()
            } catch {
                assertionFailure(error.description)
            }
            return true
        }())
}
