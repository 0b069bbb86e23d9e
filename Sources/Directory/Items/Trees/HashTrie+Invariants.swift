extension HashTrie {
    /// Checks every invariant, in linear time.
    func checkInvariants() throws(InvariantViolation) {
        try root.checkInvariants(depth: 0, prefix: 0)
    }

    /// Checks the nodes on the path to the entries with `hash`, in logarithmic time.
    func checkInvariants(at hash: Int) throws(InvariantViolation) {
        try root.checkPath(to: UInt(bitPattern: hash), depth: 0)
    }
}

extension HashTrie.Node {
    /// Checks this node and those below; the lowest 5 * `depth` bits of all hashes must be `prefix`.
    func checkInvariants(depth: Int, prefix: UInt) throws(InvariantViolation) {
        try check(depth: depth)
        let mask = (UInt(1) << UInt(5 * depth)) - 1
        try InvariantViolation.require(
            entries.allSatisfy { $0.hash & mask == prefix }, "each entry is where its hash belongs")
        for (number, child) in children.enumerated() {
            try child.checkInvariants(
                depth: depth + 1, prefix: prefix | UInt(number) << UInt(5 * depth))
        }
    }

    fileprivate func checkPath(to hash: UInt, depth: Int) throws(InvariantViolation) {
        try check(depth: depth)
        guard !children.isEmpty else { return }
        try children[Self.childIndex(hash, depth)].checkPath(to: hash, depth: depth + 1)
    }

    /// Checks this node alone, without the hashes of its entries.
    private func check(depth: Int) throws(InvariantViolation) {
        try InvariantViolation.require(
            entries.isEmpty || children.isEmpty, "a node has entries or children, not both")
        try InvariantViolation.require(
            children.isEmpty || children.count == 32, "a node has 32 children or none")
        try InvariantViolation.require(
            entries.count <= HashTrie.capacity || depth >= Self.maxDepth,
            "a node has at most \(HashTrie.capacity) entries")
    }
}
