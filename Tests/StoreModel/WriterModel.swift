/// What `test-process write-notes` has in a collection after some number of commits.
///
/// The notes depend on that number alone, so a reader can check whether they are those of a commit.
/// Each writer has ids of its own, so several writers can share a collection.
package struct WriterModel: Sendable {
    /// The number of notes that stay besides the counter.
    package static let kept = 20
    private static let idsPerWriter = 1_000_000_000

    /// The id of the counter, a note whose title is the number of commits.
    package let counter: Int

    /// Creates the model of writer number `writer`.
    package init(writer: Int) { counter = writer * Self.idsPerWriter }

    /// The note that commit number `count` adds.
    package func note(_ count: Int) -> Note {
        Note(id: counter + count, title: String(repeating: "x", count: count % 50))
    }

    /// Whether the counter is behind the notes.
    package static func isCounterLast(after count: Int) -> Bool { count % 3 == 0 }

    /// All notes of the writer after `count` commits, in order.
    package func notes(after count: Int) -> [Note] {
        guard count > 0 else { return [] }
        let counter = Note(id: counter, title: "\(count)")
        let notes = (max(1, count - Self.kept + 1)...count).map(note)
        return Self.isCounterLast(after: count) ? notes + [counter] : [counter] + notes
    }

    /// The notes of the writer among `notes`, and the number of commits in its counter.
    package func find(in notes: some Sequence<Note>) -> (count: Int, notes: [Note]) {
        let own = notes.filter { $0.id / Self.idsPerWriter == counter / Self.idsPerWriter }
        let count = own.first { $0.id == counter }.flatMap { Int($0.title) } ?? 0
        return (count, own)
    }
}
