/// Changes that one process makes, one after the other.
struct Workload: Hashable, Sendable, LosslessStringConvertible {
    var commits: Commits
    var changes: [Change]

    init(_ commits: Commits, _ changes: [Change]) {
        self.commits = commits
        self.changes = changes
    }

    /// All workloads of up to `length` changes that have something to work on.
    ///
    /// Journals are folded by the first of them or the second; a third would find none.
    static func all(upTo length: Int) -> [Workload] {
        Commits.allCases.flatMap { commits in
            sequences(upTo: commits == .fold ? min(length, 2) : length)
                .map { Workload(commits, $0) }
        }
    }

    private static func sequences(upTo length: Int) -> [[Change]] {
        guard length > 0 else { return [] }
        let shorter = sequences(upTo: length - 1)
        let longest = length == 1 ? [[]] : shorter.filter { $0.count == length - 1 }
        return shorter
            + longest.flatMap { begin in Change.allCases.map { begin + [$0] } }
            .filter { worlds(of: $0) != nil }
    }

    /// Whether each change has something to work on.
    var isPossible: Bool { Self.worlds(of: changes) != nil }

    /// The worlds before, between and after some changes; nil where one has nothing to work on.
    private static func worlds(of changes: [Change]) -> [World]? {
        var worlds = [World.first]
        for change in changes {
            guard let next = change.applied(to: worlds[worlds.count - 1]) else { return nil }
            worlds.append(next)
        }
        return worlds
    }

    var description: String {
        "\(commits.rawValue) \(changes.map(\.rawValue).joined(separator: ","))"
    }

    init?(_ description: String) {
        let words = description.split(separator: " ")
        guard words.count == 2, let commits = Commits(rawValue: String(words[0])) else {
            return nil
        }
        let changes = words[1].split(separator: ",").map { Change(rawValue: String($0)) }
        guard !changes.contains(nil) else { return nil }
        self.init(commits, changes.compactMap(\.self))
    }
}
