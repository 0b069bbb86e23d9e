/// How the indexes of a store take in the next commit.
package enum CommitMode: String, CaseIterable, Sendable {
    /// There is no journal, and the commit rewrites the index.
    case rewrite
    /// There is no journal, and the commit makes one.
    case newJournal
    /// There is a journal, and the commit appends to it.
    case journal
    /// There is a journal, and the commit rewrites the index with the changes of both.
    case checkpoint

    /// Whether the indexes have journals at the start.
    var startsWithJournals: Bool { self == .journal || self == .checkpoint }
    /// Whether commits write to journals.
    var writesJournals: Bool { self == .newJournal || self == .journal }
}
