import FileSystem

/// A disk during recorded events: its durable state, and the atoms that are not durable yet.
struct DiskReplay {
    private struct Name: Hashable {
        let folder: UInt64
        let name: FileName
    }

    let loss: PowerLoss
    private(set) var durable: MemoryFileSystem.Image
    private(set) var pending: [Int] = []
    /// The pending writes that no sync makes durable, because one has failed.
    private var lost: Set<Int> = []
    /// The last durable atom that made or removed a name.
    private var lastDurable: [Name: Int] = [:]
    private var nextEvent = 0
    private var nextAtom = 0

    init(of loss: PowerLoss) {
        self.loss = loss
        durable = loss.start
    }

    /// Replays the events up to a later moment.
    ///
    /// The disk may have gone on since its events were taken, because collections do work in the background: a moment
    /// after the last event is the end.
    mutating func advance(to moment: Int) {
        while nextEvent < min(moment, loss.events.count) {
            switch loss.events[nextEvent] {
            case .acknowledged: break
            case .unit:
                while nextAtom < loss.atoms.count, loss.atoms[nextAtom].event == nextEvent {
                    addPending(nextAtom)
                    nextAtom += 1
                }
            case .sync(let inode):
                let synced = pending.map {
                    loss.sync(of: inode, covers: loss.atoms[$0]) && !lost.contains($0)
                }
                makeDurable(withNeeds(of: synced))
            case .failedSync(let inode):
                for number in pending {
                    if case .write(inode, _, _) = loss.atoms[number].unit { lost.insert(number) }
                }
            }
            nextEvent += 1
        }
    }

    /// Adds a pending atom; a write that covers two earlier writes replaces the older of them.
    private mutating func addPending(_ number: Int) {
        pending.append(number)
        guard case .write(let inode, let offset, let bytes) = loss.atoms[number].unit else {
            return
        }
        let covered = pending.filter { other in
            guard case .write(inode, let start, let old) = loss.atoms[other].unit else {
                return false
            }
            return other != number && start >= offset
                && start + old.count <= offset + bytes.count
        }
        if covered.count > 1 { pending.removeAll { $0 == covered[0] } }
    }

    /// Makes some pending atoms durable.
    private mutating func makeDurable(_ isSynced: [Bool]) {
        for (position, number) in pending.enumerated() where isSynced[position] {
            apply(number, to: &durable)
            for entry in loss.atoms[number].entries {
                // A sync can make an older change durable than the last one that is.
                let name = Name(folder: entry.folder, name: entry.name)
                lastDurable[name] = max(number, lastDurable[name] ?? number)
            }
        }
        pending = zip(pending, isSynced).filter { !$0.1 }.map(\.0)
    }

    func apply(
        _ number: Int, to image: inout MemoryFileSystem.Image, _ tear: Tear? = nil
    ) {
        switch loss.atoms[number].unit {
        case .write(let inode, let offset, let bytes):
            image.write(bytes, to: inode, at: offset, tear)
        case .truncation(let inode, let size): image.truncate(inode, to: size)
        case .entries(let entries):
            for entry in entries {
                let last = lastDurable[Name(folder: entry.folder, name: entry.name)] ?? -1
                if last < number { image.apply(entry) }
            }
        }
    }

    /// A subset of the pending atoms, with all atoms that it needs.
    func withNeeds(of chosen: [Bool]) -> [Bool] {
        var needed = chosen
        for position in pending.indices.reversed() where needed[position] {
            for need in loss.atoms[pending[position]].needs {
                if let other = self.position(of: need) { needed[other] = true }
            }
        }
        return needed
    }

    private func position(of number: Int) -> Int? {
        var (low, high) = (0, pending.count)
        while low < high {
            let middle = (low + high) / 2
            if pending[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < pending.count && pending[low] == number ? low : nil
    }
}
