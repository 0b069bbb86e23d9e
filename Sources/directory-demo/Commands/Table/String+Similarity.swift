extension String {
    /// The candidate that this text is most likely a typo of; nil if none is similar.
    ///
    /// A replaced or swapped letter counts as two changes: a removal and an insertion. Case does not count.
    func mostSimilar(in candidates: [String]) -> String? {
        let rated = candidates.map { candidate in
            (candidate, distance: lowercased().difference(from: candidate.lowercased()).count)
        }
        let best = rated.min { $0.distance < $1.distance }
        return best.flatMap { $0.distance <= Swift.max(1, 2 * count / 3) ? $0.0 : nil }
    }
}

extension String? {
    /// The end of an error message: `; did you mean "list"?`, or nothing.
    var asQuestion: String { map { "; did you mean \"\($0)\"?" } ?? "" }
}
