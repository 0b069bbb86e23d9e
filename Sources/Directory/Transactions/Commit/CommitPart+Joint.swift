import FileSystem

extension CommitPart {
    var folder: IndexFolder { index.folder }

    /// What the commit changes in the index.
    var lineOperations: [LineOperation] {
        next.operations(from: before, change, moved: draft.changes.moved)
            ?? LineOperation.difference(from: before.lines, to: next.lines)
    }

    /// Makes the states before the commit durable, with the lines that other processes see, in indexes that are not empty.
    static func makeDurable(_ parts: [CommitPart]) throws {
        for index in parts.map(\.index)
        where index.known.needsRewrite || (index.known.state.version?.index?.size ?? 0) == 0 {
            try index.rewrite()
        }
        try LockedIndex.makeDurable(parts.map(\.index))
    }

    /// The possible paths of the folder `name` of an item, from the folder of the index.
    func places(ofFolder name: FileName) throws -> [String] {
        guard let transaction else { return [name.string] }
        let own = "\(IndexNames.staging)/\(transaction.name)"
        let moved = try transaction.intent.slots.filter { $0.folder.from == name }
        return [name.string]
            + moved.flatMap { slot, folder in
                [slot.map { "\(own)/\($0)" }, folder.to?.string].compactMap(\.self)
            }
    }
}

extension LineOperation {
    /// The operations that turn `old` into `new`, which skip the common lines at both ends.
    static func difference(from old: [ArraySlice<UInt8>], to new: [ArraySlice<UInt8>]) -> [Self] {
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let rest = min(old.count, new.count) - prefix
        let suffix = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let removals = (prefix..<(old.count - suffix)).reversed().map { position in
            remove(at: position, checksum: CRC32.checksum(of: old[position]))
        }
        return removals + (prefix..<(new.count - suffix)).map { .insert(new[$0], at: $0) }
    }
}
