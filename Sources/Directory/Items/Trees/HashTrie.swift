/// A persistent map from hashes to values.
///
/// Copies of a map share nodes. A change copies only the shared nodes on one path. Several values
/// can have the same hash; the caller distinguishes them.
///
/// Invariants:
/// - A node has entries or 32 children, never both.
/// - An entry below child n of a node at depth d has the number n in bits 5d to 5d + 4 of its hash.
/// - A node has at most ``capacity`` entries, unless its hashes have fewer than five bits left.
///
/// After P. Bagwell, "Ideal Hash Trees" (2001), with buckets as leaves. Hashes are seeded in each
/// process, so nobody can choose values that fill one bucket.
struct HashTrie<Value: Sendable>: Sendable {
    struct Entry: Sendable {
        var hash: UInt
        var value: Value

        init(hash: Int, value: Value) {
            self.hash = UInt(bitPattern: hash)
            self.value = value
        }
    }

    struct Node: Sendable {
        var entries: ContiguousArray<Entry> = []
        var children: ContiguousArray<Node> = []
    }

    private(set) var root = Node()

    /// The largest number of entries of a node, unless its hashes have no bits left.
    static var capacity: Int { 128 }

    init() {}

    /// Creates a map of `entries`, in linear time.
    init(_ entries: ContiguousArray<Entry>) {
        root = Node(entries, depth: 0)
        assertInvariants(try checkInvariants())
    }
}

extension HashTrie {
    /// Calls `body` with the values that have `hash`, until it returns false.
    func forEach(_ hash: Int, while body: (Value) -> Bool) {
        root.forEach(UInt(bitPattern: hash), depth: 0, while: body)
    }

    mutating func insert(_ value: Value, _ hash: Int) {
        root.insert(Entry(hash: hash, value: value), depth: 0)
        assertInvariants(try checkInvariants(at: hash))
    }

    /// Replaces one value with `hash` that matches, or removes it if `replacement` is nil.
    mutating func replace(
        _ hash: Int, with replacement: Value?, where matches: (Value) -> Bool
    ) {
        root.replace(UInt(bitPattern: hash), with: replacement, depth: 0, where: matches)
        assertInvariants(try checkInvariants(at: hash))
    }

    /// Calls `body` with the entries of each node without children.
    func forEachBucket(_ body: (ContiguousArray<Entry>) -> Void) {
        root.forEachBucket(body)
    }
}

extension HashTrie.Node {
    /// The depth at which a hash has fewer than five bits left.
    static var maxDepth: Int { UInt.bitWidth / 5 }

    static func childIndex(_ hash: UInt, _ depth: Int) -> Int {
        Int(truncatingIfNeeded: hash >> UInt(5 * depth)) & 31
    }

    fileprivate init(_ all: ContiguousArray<HashTrie.Entry>, depth: Int) {
        guard all.count > HashTrie.capacity, depth < Self.maxDepth else {
            entries = all
            return
        }
        var counts = [Int](repeating: 0, count: 32)
        for entry in all { counts[Self.childIndex(entry.hash, depth)] += 1 }
        var parts = counts.map { count in
            var part = ContiguousArray<HashTrie.Entry>()
            part.reserveCapacity(count)
            return part
        }
        for entry in all { parts[Self.childIndex(entry.hash, depth)].append(entry) }
        let nodes =
            depth == 0
            ? concurrentMap(count: 32) { [parts] index in Self(parts[index], depth: 1) }
            : parts.map { Self($0, depth: depth + 1) }
        children = ContiguousArray(nodes)
    }

    fileprivate func forEach(_ hash: UInt, depth: Int, while body: (Value) -> Bool) {
        guard children.isEmpty else {
            return children[Self.childIndex(hash, depth)].forEach(
                hash, depth: depth + 1, while: body)
        }
        for index in entries.indices where entries[index].hash == hash {
            if !body(entries[index].value) { return }
        }
    }

    fileprivate mutating func insert(_ entry: HashTrie.Entry, depth: Int) {
        guard children.isEmpty else {
            children[Self.childIndex(entry.hash, depth)].insert(entry, depth: depth + 1)
            return
        }
        entries.append(entry)
        if entries.count > HashTrie.capacity { self = Self(entries, depth: depth) }
    }

    fileprivate mutating func replace(
        _ hash: UInt, with replacement: Value?, depth: Int, where matches: (Value) -> Bool
    ) {
        guard children.isEmpty else {
            let index = Self.childIndex(hash, depth)
            children[index].replace(hash, with: replacement, depth: depth + 1, where: matches)
            if replacement == nil, children[index].isEmpty { joinChildrenIfFew() }
            return
        }
        guard let index = entries.firstIndex(where: { $0.hash == hash && matches($0.value) })
        else { return }
        if let replacement {
            entries[index].value = replacement
        } else {
            entries.swapAt(index, entries.count - 1)
            entries.removeLast()
        }
    }

    private var isEmpty: Bool { entries.isEmpty && children.isEmpty }

    /// Replaces the children by their entries if these fill at most half a bucket.
    private mutating func joinChildrenIfFew() {
        guard children.allSatisfy({ $0.children.isEmpty }),
            children.reduce(0, { $0 + $1.entries.count }) <= HashTrie.capacity / 2
        else { return }
        entries = ContiguousArray(children.lazy.map { $0.entries }.joined())
        children = []
    }

    fileprivate func forEachBucket(_ body: (ContiguousArray<HashTrie.Entry>) -> Void) {
        if children.isEmpty { body(entries) }
        for child in children { child.forEachBucket(body) }
    }
}
