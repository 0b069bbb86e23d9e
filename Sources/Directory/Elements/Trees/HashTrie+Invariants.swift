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
    /// Checks this node and those below; the lowest 3 * `depth` bits of all hashes must be `prefix`.
    func checkInvariants(depth: Int, prefix: UInt) throws(InvariantViolation) {
        try check(depth: depth)
        switch self {
        case .bucket(let entries):
            let mask = (UInt(1) << UInt(Self.bits * depth)) - 1
            try InvariantViolation.require(
                entries.allSatisfy { $0.hash & mask == prefix },
                "each entry is where its hash belongs")
        case .branch(let children):
            for (number, child) in children.enumerated() {
                try child.checkInvariants(
                    depth: depth + 1, prefix: prefix | UInt(number) << UInt(Self.bits * depth))
            }
        }
    }

    fileprivate func checkPath(to hash: UInt, depth: Int) throws(InvariantViolation) {
        try check(depth: depth)
        guard case .branch(let children) = self else { return }
        try children[Self.childIndex(hash, depth)].checkPath(to: hash, depth: depth + 1)
    }

    /// Checks this node alone, without the hashes of its entries.
    private func check(depth: Int) throws(InvariantViolation) {
        switch self {
        case .bucket(let entries):
            try InvariantViolation.require(
                entries.count <= HashTrie.capacity || depth >= Self.maxDepth,
                "a bucket has at most \(HashTrie.capacity) entries")
        case .branch(let children):
            try InvariantViolation.require(
                children.count == Self.width, "a branch has \(Self.width) children")
        }
    }
}
