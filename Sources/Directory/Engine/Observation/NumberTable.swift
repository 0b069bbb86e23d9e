/// Numbers by hashes, as a hash table with linear probing that is at most half full.
///
/// Nothing keeps earlier states of it, so it is changed in place, unlike a ``HashTrie``. The hashes are those of
/// identifiers, seeded in each process, so nobody can choose values that make it slow.
///
/// After D. Knuth, "The Art of Computer Programming", volume 3, 6.4, algorithms L and R.
struct NumberTable: Sendable {
    private struct Slot: Sendable {
        var hash = 0
        /// Negative if the slot is empty.
        var number: Int32 = -1
    }

    /// Their count is a power of two.
    private var slots = ContiguousArray(repeating: Slot(), count: 16)
    private(set) var count = 0

    /// The number of `hash`; nil if it has none.
    subscript(hash: Int) -> Int? {
        let number = slots[slot(of: hash)].number
        return number < 0 ? nil : Int(number)
    }

    /// Gives `hash`, which has none, a number.
    mutating func insert(_ number: Int32, _ hash: Int) {
        if 2 * (count + 1) > slots.count {
            let old = slots
            slots = ContiguousArray(repeating: Slot(), count: 2 * old.count)
            for slot in old where slot.number >= 0 { slots[self.slot(of: slot.hash)] = slot }
        }
        slots[slot(of: hash)] = Slot(hash: hash, number: number)
        count += 1
    }

    /// Takes the number from `hash`; returns nil if it has none.
    mutating func remove(_ hash: Int) -> Int? {
        var hole = slot(of: hash)
        let number = slots[hole].number
        if number < 0 { return nil }
        // A search ends at an empty slot, so each later one whose search begins at the hole or before it moves there.
        var next = (hole + 1) & mask
        while slots[next].number >= 0 {
            if (next &- slots[next].hash) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = Slot()
        count -= 1
        return Int(number)
    }

    private var mask: Int { slots.count - 1 }

    /// The slot with `hash`, or the empty one where it belongs.
    private func slot(of hash: Int) -> Int {
        var index = hash & mask
        while slots[index].number >= 0, slots[index].hash != hash { index = (index + 1) & mask }
        return index
    }
}
