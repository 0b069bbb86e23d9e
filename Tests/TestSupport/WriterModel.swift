/// What the program `directory-writer` has in a collection after a number of commits.
///
/// It follows from that number alone, so whoever reads the collection can tell whether it is one
/// that was committed. Each writer has ids of its own, so several can share a collection.
public struct WriterModel: Sendable {
    /// An item of the writer's.
    public struct Note: Codable, Identifiable, Hashable, Sendable {
        /// What tells the note from all others.
        public var id: Int
        /// The number of commits in the counter, else a filling.
        public var title: String

        /// Creates a note.
        public init(id: Int, title: String) {
            self.id = id
            self.title = title
        }
    }

    /// The number of notes that stay besides the counter.
    public static let kept = 20
    private static let idsPerWriter = 1_000_000_000

    /// The id of the counter, whose title is the number of commits.
    public let counter: Int

    /// Creates the model of writer number `writer`.
    public init(writer: Int) { counter = writer * Self.idsPerWriter }

    /// The note that commit number `count` adds.
    public func note(_ count: Int) -> Note {
        Note(id: counter + count, title: String(repeating: "x", count: count % 50))
    }

    /// Whether the counter stands behind the notes.
    public static func isCounterLast(after count: Int) -> Bool { count % 3 == 0 }

    /// All notes of the writer's after `count` commits, in order.
    public func notes(after count: Int) -> [Note] {
        guard count > 0 else { return [] }
        let counter = Note(id: counter, title: "\(count)")
        let notes = (max(1, count - Self.kept + 1)...count).map(note)
        return Self.isCounterLast(after: count) ? notes + [counter] : [counter] + notes
    }

    /// The notes of the writer's among `notes`, and the number of commits that they say.
    public func find(in notes: some Sequence<Note>) -> (count: Int, notes: [Note]) {
        let own = notes.filter { $0.id / Self.idsPerWriter == counter / Self.idsPerWriter }
        let count = own.first { $0.id == counter }.flatMap { Int($0.title) } ?? 0
        return (count, own)
    }
}
