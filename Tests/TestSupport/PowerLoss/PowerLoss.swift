package import FileSystem

/// The states that a power loss can leave of a recorded disk.
///
/// At each moment some atoms are durable, because a later sync covers them. Each of the others may
/// be on the disk or not; the profile decides which combinations are possible.
package struct PowerLoss: Sendable {
    /// What a file system promises about changes that were not synced.
    ///
    /// In all profiles, the bytes of files reach the disk in any order and perhaps in part, and a
    /// file that was moved never loses its last name.
    package enum Profile: String, CaseIterable, Sendable {
        /// Only what POSIX promises: a sync covers the bytes of one file or the names in one
        /// folder, and all other changes reach the disk in any order. A file that moves to
        /// another folder can be in both folders; a folder cannot, because no file system keeps a
        /// folder with two names.
        case posix
        /// Names become durable in order, and every sync makes all earlier names durable, as in
        /// the journals of ext4 and XFS, and in the transactions of APFS, where `sync` is
        /// F_FULLFSYNC. Apple's fsync(2), which only hands bytes to the drive, has no profile: the
        /// library never relies on it alone.
        case ordered
        /// Names become durable in any order, but those of one call together, and the sync of a
        /// file makes the names that lead to it durable: the log tree of btrfs keeps the names of
        /// synced inodes, and leaves all other names to the next transaction.
        case btrfs
    }

    /// A change that becomes durable as a whole or not at all, unless it is a write that is torn.
    struct Atom: Sendable {
        /// The number of the event that the atom is a part of.
        let event: Int
        let unit: RecordedDisk.Unit
        /// The earlier atoms that are durable if this atom is.
        var needs: [Int] = []

        var entries: [RecordedDisk.Entry] {
            if case .entries(let entries) = unit { entries } else { [] }
        }
    }

    let start: MemoryFileSystem.Image
    let events: [RecordedDisk.Event]
    let profile: Profile
    /// The parts into which the profile divides the units, in order.
    private(set) var atoms: [Atom] = []

    package init(_ disk: RecordedDisk, _ profile: Profile) {
        self.init(disk.events, on: disk.start, profile)
    }

    package init(
        _ events: [RecordedDisk.Event], on start: MemoryFileSystem.Image, _ profile: Profile
    ) {
        self.start = start
        self.events = events
        self.profile = profile
        var lastAtom: [UInt64: Int] = [:]
        var lastEntries: Int?
        for (number, event) in events.enumerated() {
            guard case .unit(let unit) = event else { continue }
            for part in parts(of: unit) {
                var atom = Atom(event: number, unit: part)
                if !atom.entries.isEmpty {
                    atom.needs = needs(of: atom, lastEntries, lastAtom)
                    lastEntries = atoms.count
                    for entry in atom.entries { lastAtom[entry.inode] = atoms.count }
                }
                atoms.append(atom)
            }
        }
    }

    /// The moments at which power can be lost: before the first event, and after each event.
    package var moments: ClosedRange<Int> { 0...events.count }

    /// The number of acknowledgements before `moment`.
    package func acknowledgements(at moment: Int) -> Int {
        events[..<moment].count { if case .acknowledged = $0 { true } else { false } }
    }

    private func parts(of unit: RecordedDisk.Unit) -> [RecordedDisk.Unit] {
        guard profile == .posix, case .entries(let entries) = unit, entries.count == 2,
            entries[0].folder != entries[1].folder, !entries[0].isFolder
        else { return [unit] }
        return entries.map { .entries([$0]) }
    }

    private func needs(of atom: Atom, _ lastEntries: Int?, _ lastAtom: [UInt64: Int]) -> [Int] {
        if profile == .ordered { return lastEntries.map { [$0] } ?? [] }
        let isHalf = profile == .posix && atom.entries.count == 1 && atom.entries[0].isRemoval
        if isHalf, let last = lastEntries, atoms[last].event == atom.event { return [last] }
        // The names of a folder become durable in order, and so do those of a file if the names of
        // one call do so together. A name in a folder needs the name of the folder.
        return atom.entries.flatMap { entry in
            let isOrdered = entry.isFolder || profile == .btrfs
            return [
                isOrdered ? lastAtom[entry.inode] : nil,
                profile == .btrfs ? lastAtom[entry.folder] : nil,
            ].compactMap(\.self)
        }
    }

    /// Whether the sync of `inode` makes `atom` durable.
    func sync(of inode: UInt64, covers atom: Atom) -> Bool {
        switch atom.unit {
        case .write(let written, _, _), .truncation(let written, _): written == inode
        case .entries(let entries):
            profile == .ordered
                || entries.contains {
                    $0.folder == inode || profile == .btrfs && $0.inode == inode
                }
        }
    }
}
