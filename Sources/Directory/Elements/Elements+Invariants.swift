extension Elements {
    /// Checks the invariants of both trees, and that they have the same elements, in linear time.
    func checkInvariants() throws(InvariantViolation) {
        try tree.checkInvariants()
        try labels.checkInvariants()
        var hashes: [UInt64: UInt] = [:]
        for entry in tree {
            let hash = UInt(bitPattern: entry.element.idHash)
            let other = hashes.updateValue(hash, forKey: entry.label)
            try InvariantViolation.require(other == nil, "no two elements have one label")
        }
        var entries: [HashTrie<UInt64>.Entry] = []
        labels.forEachBucket { entries += $0 }
        try InvariantViolation.require(
            entries.count == count && entries.allSatisfy { hashes[$0.value] == $0.hash },
            "the map has the label of each element under the hash of its id")
    }
}
