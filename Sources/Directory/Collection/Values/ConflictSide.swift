/// What to continue with if an index and its journal do not belong together; later versions can
/// add cases.
public enum ConflictSide: Sendable, Hashable {
    /// The index as it is now, without the changes that only the journal holds.
    case index
    /// The index as it is now, with the changes of the journal applied to it: an item that the
    /// journal adds or changes becomes what it is in the journal, and an item that the journal
    /// removes is removed if its line is unchanged.
    case journal
}
