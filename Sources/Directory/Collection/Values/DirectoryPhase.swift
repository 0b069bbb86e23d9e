/// How far a collection is loaded; later versions can add cases.
public enum DirectoryPhase: Sendable {
    /// Nothing was read yet.
    case idle
    /// The first reading is under way.
    case loading
    /// The items are those that were on disk at some moment.
    case loaded
    /// The last reading failed; the items are those read before.
    case failed(DirectoryError)
}

extension DirectoryPhase: Equatable {
    /// Whether both are the same phase; failures are equal if their messages are.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.idle, .idle), (.loading, .loading), (.loaded, .loaded): true
        case (.failed(let left), .failed(let right)): left.message == right.message
        default: false
        }
    }
}
