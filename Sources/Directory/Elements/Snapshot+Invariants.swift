extension Snapshot {
    /// Checks that each damaged line follows an element that exists, and the invariants of the elements.
    func checkInvariants() throws(InvariantViolation) {
        try elements.checkInvariants()
        try InvariantViolation.require(
            damaged.allSatisfy { $0.predecessor.map(elements.contains) ?? true },
            "the element before a damaged line exists")
    }
}
