/// The state of loading a collection; later versions can add cases.
public enum DirectoryPhase: Sendable {
    /// Nothing was read yet.
    case idle
    /// The first reading is under way.
    case loading
    /// The items were read; they are those of the index at some moment.
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
