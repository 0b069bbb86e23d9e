/// Values by hashes, as a persistent map.
///
/// Copies share all nodes; a change copies the few on one path, and none where nothing is shared.
/// Several values may have one hash: the caller tells them apart.
///
/// Invariants: a node has entries or 32 children, never both. The children of a node at depth d
/// hold the entries that have their number in bits 5d to 5d + 4 of the hash. As long as a hash has
/// five bits left, a node has at most ``capacity`` entries.
///
/// After P. Bagwell, "Ideal Hash Trees" (2001), with buckets for leaves. Hashes are seeded per
/// process, so nobody can aim at a bucket.
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

    /// The most entries of a node whose hashes have bits left to part them.
    static var capacity: Int { 128 }

    init() {}

    /// A trie of `entries`, in linear time.
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

    /// Replaces one value with `hash` that matches, or removes it where `replacement` is nil.
    mutating func replace(
        _ hash: Int, with replacement: Value?, where matches: (Value) -> Bool
    ) {
        root.replace(UInt(bitPattern: hash), with: replacement, depth: 0, where: matches)
        assertInvariants(try checkInvariants(at: hash))
    }

    /// Calls `body` with each node without children.
    func forEachBucket(_ body: (ContiguousArray<Entry>) -> Void) {
        root.forEachBucket(body)
    }
}

extension HashTrie.Node {
    /// The depth where a hash has not five bits left.
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
        // The nodes below the root are worked out on all cores.
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

    /// Takes the entries of the children back when half a bucket holds them.
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
