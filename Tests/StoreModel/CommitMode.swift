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
    /// There is a journal, and the commit appends to it without a sync.
    case relaxed

    /// Those in which an acknowledged change survives a power loss.
    package static let durable: [CommitMode] = [.rewrite, .newJournal, .journal, .checkpoint]

    /// Whether the indexes have journals at the start.
    var startsWithJournals: Bool { [.journal, .checkpoint, .relaxed].contains(self) }
    /// Whether commits write to journals.
    var writesJournals: Bool { [.newJournal, .journal, .relaxed].contains(self) }
}
