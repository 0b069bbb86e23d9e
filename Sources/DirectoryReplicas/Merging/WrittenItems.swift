/// Living items of one kind, each written by one segment, as lines of a file with a state.
///
/// Most items of a state are of this form. An item is read from its line whenever it is asked for, and takes 16 bytes
/// beside the line.
struct WrittenItems: Sendable {
    private struct Line: Sendable {
        /// From the beginning of the file, in bytes.
        var start: UInt32
        /// An index of `origins`.
        var origin: UInt32
    }

    /// What many items have in common: the segment that wrote them, and the container that they are in.
    private struct Origin: Hashable, Sendable {
        var stamp: Stamp
        var container: ItemKey?
    }

    let kind: String
    var count: Int { lines.count }
    /// How many different origins the items have.
    var originCount: Int { origins.count }
    private var file: ArraySlice<UInt8> = []
    private var lines: [Line] = []
    private var origins: [Origin] = []
    /// The indices of `origins`; empty after `finish(in:)`.
    private var numbers: [Origin: UInt32] = [:]
    /// The number of a line, and above it, in the upper half, a hash of the key; ascending after `finish(in:)`.
    private var places: [UInt64] = []

    init(_ kind: String) { self.kind = kind }
}

extension WrittenItems {
    /// Adds an item, whose line begins at `start` in the file, in bytes, if it lives and one segment wrote it.
    ///
    /// Call `finish(in:)` after the last item; before that, no item is found.
    ///
    /// - Returns: Whether it was added.
    mutating func add(_ key: ItemKey, _ state: ItemState, at start: Int) -> Bool {
        guard let plain = state.living, state.removals.isEmpty,
            let start = UInt32(exactly: start), let number = UInt32(exactly: lines.count)
        else { return false }
        let origin = Origin(stamp: plain.stamp, container: plain.container)
        let originNumber = numbers[origin] ?? UInt32(origins.count)
        if originNumber == origins.count {
            origins.append(origin)
            numbers[origin] = originNumber
        }
        lines.append(Line(start: start, origin: originNumber))
        places.append(Self.hash(key) | UInt64(number))
        return true
    }

    /// Ends the adding of items; `file` has their lines.
    mutating func finish(in file: ArraySlice<UInt8>) {
        self.file = file
        numbers = [:]
        places.sort()
        // A copy has no space for more elements.
        lines = lines.map(\.self)
        places = places.map(\.self)
    }

    /// Whether two lines are about one item; this library writes no such file.
    var hasItemTwice: Bool {
        zip(places, places.dropFirst()).contains { one, two in
            one >> 32 == two >> 32
                && item(at: Self.number(one))?.key == item(at: Self.number(two))?.key
        }
    }

    private static func hash(_ key: ItemKey) -> UInt64 {
        UInt64(truncatingIfNeeded: key.hashValue) << 32
    }

    private static func number(_ place: UInt64) -> Int { Int(place & 0xffff_ffff) }
}

extension WrittenItems {
    /// The number of an item, and what was written of it; nil if there is none with this key among those whose numbers
    /// `isIncluded` accepts.
    func find(_ key: ItemKey, where isIncluded: (_ number: Int) -> Bool = { _ in true })
        -> (number: Int, plain: ItemState.Plain)?
    {
        let hash = Self.hash(key)
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < hash { low = middle + 1 } else { high = middle }
        }
        while low < places.count, places[low] >> 32 == hash >> 32 {
            let number = Self.number(places[low])
            if isIncluded(number), let item = item(at: number), item.key == key {
                return (number, item.plain)
            }
            low += 1
        }
        return nil
    }

    /// The item with a number, which is its place in the order of the file.
    func item(at number: Int) -> (key: ItemKey, plain: ItemState.Plain)? {
        let line = lines[number]
        var rest = Lines(file.dropFirst(Int(line.start)))
        // The line was checked when it was added.
        guard let bytes = try? rest.next(), let fields = try? LineFields(bytes) else { return nil }
        let origin = origins[Int(line.origin)]
        return try? ItemState.Plain.read(fields, origin.stamp, in: origin.container)
    }
}
