extension Directory.Snapshot {
    /// Checks that each damaged line follows an item that exists, and the invariants of the items.
    func checkInvariants() throws(InvariantViolation) {
        try items.checkInvariants()
        try InvariantViolation.require(
            damaged.allSatisfy { $0.predecessor.map(items.contains(id:)) ?? true },
            "the item before a damaged line exists")
    }
}
