/// Numbers by hashes, as a hash table with linear probing that is at most half full.
///
/// It is changed in place: unlike a ``HashTrie``, it keeps no earlier states.
///
/// After D. Knuth, "The Art of Computer Programming", volume 3, 6.4: algorithms L and R, and multiplicative hashing.
struct NumberTable: Sendable {
    private struct Slot: Sendable {
        var hash = 0
        /// Negative if the slot is empty.
        var number: Int32 = -1
    }

    /// There are 2 to the power of `bits` slots.
    private var slots = ContiguousArray(repeating: Slot(), count: 16)
    private var bits = 4
    private(set) var count = 0

    /// The number of `hash`; nil if it has none.
    subscript(hash: Int) -> Int? {
        let number = slots[slot(of: hash)].number
        return number < 0 ? nil : Int(number)
    }

    /// Adds `number` for `hash`, which must have none.
    mutating func insert(_ number: Int32, _ hash: Int) {
        if 2 * (count + 1) > slots.count {
            let old = slots
            slots = ContiguousArray(repeating: Slot(), count: 2 * old.count)
            bits += 1
            for slot in old where slot.number >= 0 { slots[self.slot(of: slot.hash)] = slot }
        }
        slots[slot(of: hash)] = Slot(hash: hash, number: number)
        count += 1
    }

    /// Removes the number of `hash`, and returns it; nil if there is none.
    mutating func remove(_ hash: Int) -> Int? {
        var hole = slot(of: hash)
        let number = slots[hole].number
        if number < 0 { return nil }
        // A search ends at an empty slot, so each later one whose search begins at the hole or before it moves there.
        var next = (hole + 1) & mask
        while slots[next].number >= 0 {
            if (next - start(of: slots[next].hash)) & mask >= (next - hole) & mask {
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
        var index = start(of: hash)
        while slots[index].number >= 0, slots[index].hash != hash { index = (index + 1) & mask }
        return index
    }

    /// The slot where a search begins.
    ///
    /// An identifier can have a hash value of its own making, such as a multiple of a power of two. Multiplied by 2 to the
    /// power of 64 times the golden ratio, all its bits count in the first ones.
    private func start(of hash: Int) -> Int {
        let product = UInt64(truncatingIfNeeded: hash) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> UInt64(64 - bits))
    }
}
