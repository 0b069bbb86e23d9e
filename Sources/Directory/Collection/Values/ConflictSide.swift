/// The file to continue with if an index and its journal do not belong together; later versions can
/// add cases.
public enum ConflictSide: Sendable, Hashable {
    /// Continue with the index as it is now, without the changes that only the journal has.
    case index
    /// Continue with the index as it is now, and apply the changes of the journal: an item gets the value that the
    /// journal has for it, and an item that the journal removes is removed if its line is unchanged.
    case journal
}
