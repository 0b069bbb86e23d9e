extension String {
    /// The candidate that this text is most likely a typo of; nil if none is similar.
    func mostSimilar(in candidates: [String]) -> String? {
        let most = Swift.max(1, count / 3)
        let rated = candidates.map { (candidate: $0, distance: distance(to: $0)) }
        let best = rated.filter { $0.distance <= most }.min { $0.distance < $1.distance }
        return best?.candidate
    }

    /// How many letters must be inserted, removed, replaced, or swapped with their neighbour to get
    /// `other`.
    ///
    /// This is the optimal string alignment distance; case does not count.
    func distance(to other: String) -> Int {
        let (a, b) = (Array(lowercased()), Array(other.lowercased()))
        guard !a.isEmpty, !b.isEmpty else { return Swift.max(a.count, b.count) }
        var before: [Int] = []
        var row = Array(0...b.count)
        for i in 1...a.count {
            var next = [i]
            for j in 1...b.count {
                let replacing = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                var least = Swift.min(row[j] + 1, next[j - 1] + 1, replacing)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    least = Swift.min(least, before[j - 2] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}

extension String? {
    /// The end of an error message: `; did you mean "list"?`, or nothing.
    var asQuestion: String { map { "; did you mean \"\($0)\"?" } ?? "" }
}
