package import FileSystem

/// What power loss may leave of a recorded disk.
///
/// At each moment some atoms are durable, because something was synced after them, and the
/// others may each be there or not. How free they are is the profile's matter.
package struct PowerLoss: Sendable {
    /// What a file system promises about what was not synced.
    ///
    /// In all of them, the bytes of files come in any order and perhaps in part, and a file that
    /// was moved never loses its last name.
    package enum Profile: String, CaseIterable, Sendable {
        /// Nothing but what POSIX says: a sync concerns the bytes of one file, or the names in
        /// one folder, and all else comes in any order. A file on its way from one folder to
        /// another can be seen in both; a folder cannot, because no disk keeps one with two
        /// names.
        case posix
        /// Names become durable in order, and every sync makes all earlier ones durable, as in
        /// the journals of ext4 and XFS, and in the transactions of APFS, where `sync` is
        /// F_FULLFSYNC. What Apple's fsync(2) would do, which only hands bytes to the drive, is
        /// of no account: no call of the seam stops there.
        case ordered
        /// Names come in any order, but each call is a whole, and the sync of a file makes the
        /// names durable that lead to it: the log tree of btrfs keeps the names of the inodes
        /// that were synced, and leaves all else to the next transaction.
        case btrfs
    }

    /// What becomes durable as a whole, or not at all unless torn.
    struct Atom: Sendable {
        /// The number of the event that it is a part of.
        let event: Int
        let unit: RecordedDisk.Unit
        /// The earlier atoms that are durable if this one is.
        var needs: [Int] = []

        var entries: [RecordedDisk.Entry] {
            if case .entries(let entries) = unit { entries } else { [] }
        }
    }

    let start: MemoryFileSystem.Image
    let events: [RecordedDisk.Event]
    let profile: Profile
    /// All units as the profile divides them, in their order.
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

    /// The moments to lose power at: before the first event, and after each.
    package var moments: ClosedRange<Int> { 0...events.count }

    /// How often the caller had been told, before `moment`, that what it asked for is done.
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
        // The names of a folder, and of a file where calls are whole, come in their order; a name
        // that is to be found needs those of the folders above it.
        return atom.entries.flatMap { entry in
            let isOrdered = entry.isFolder || profile == .btrfs
            return [
                isOrdered ? lastAtom[entry.inode] : nil,
                profile == .btrfs ? lastAtom[entry.folder] : nil,
            ].compactMap(\.self)
        }
    }

    /// Whether the sync of `inode` makes an atom durable.
    func concerns(_ atom: Atom, _ inode: UInt64) -> Bool {
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
