import FileSystem

/// The part of one index in a write to several collections.
extension LockedIndex {
    /// Commits the part that was prepared; in the home, this decides that the whole write takes place.
    ///
    /// The caller calls ``accept(_:_:isDurable:)`` once the record is on stable storage.
    func commitPart(_ durability: DirectoryOptions.Durability) throws {
        guard let number = known.state.journal?.joint?.number else { return }
        try append(.committed(number), durability)
    }

    /// Ends the part; if it was not committed, it does not count.
    func endPart(_ durability: DirectoryOptions.Durability) throws {
        guard let number = known.state.journal?.joint?.number else { return }
        try append(.ended(number), durability)
    }
}
