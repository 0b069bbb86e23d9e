/// A persistent map from hashes to values.
///
/// Copies of a map share nodes. A change copies only the shared nodes on one path. Several values
/// can have the same hash; the caller distinguishes them.
///
/// Invariants:
/// - A branch has 8 children.
/// - An entry below child n of a branch at depth d has the number n in bits 3d to 3d + 2 of its hash.
/// - A bucket has at most ``capacity`` entries, unless its hashes have no bits left.
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

    /// One reference: a change copies the children of each node on its path.
    enum Node: Sendable {
        case bucket(ContiguousArray<Entry>)
        case branch(ContiguousArray<Node>)
    }

    private(set) var root = Node.bucket([])

    /// The largest number of entries of a bucket, unless its hashes have no bits left.
    static var capacity: Int { 64 }

    init() {}

    /// Creates a map of `entries`, in linear time.
    init(_ entries: ContiguousArray<Entry>) {
        root = Node(entries, depth: 0)
        assertInvariants(try checkInvariants())
    }
}

extension HashTrie {
    /// Calls `body` with the values that have `hash`, until it returns false.
    @inline(__always)
    func forEach(_ hash: Int, while body: (Value) -> Bool) {
        let hash = UInt(bitPattern: hash)
        root.bucket(of: hash, depth: 0).withUnsafeBufferPointer { entries in
            for entry in entries where entry.hash == hash {
                if !body(entry.value) { return }
            }
        }
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

    /// Calls `body` with the entries of each bucket.
    func forEachBucket(_ body: (ContiguousArray<Entry>) -> Void) {
        root.forEachBucket(body)
    }
}

extension HashTrie.Node {
    /// The number of bits of a hash that choose a child.
    static var bits: Int { 3 }
    /// The number of children of a branch.
    static var width: Int { 1 << bits }
    /// The depth at which a hash has no bits left.
    static var maxDepth: Int { UInt.bitWidth / bits }

    static func childIndex(_ hash: UInt, _ depth: Int) -> Int {
        Int(truncatingIfNeeded: hash >> UInt(bits * depth)) & (width - 1)
    }

    fileprivate init(_ all: ContiguousArray<HashTrie.Entry>, depth: Int) {
        guard all.count > HashTrie.capacity, depth < Self.maxDepth else {
            self = .bucket(all)
            return
        }
        var counts = [Int](repeating: 0, count: Self.width)
        for entry in all { counts[Self.childIndex(entry.hash, depth)] += 1 }
        var parts = counts.map { count in
            var part = ContiguousArray<HashTrie.Entry>()
            part.reserveCapacity(count)
            return part
        }
        for entry in all { parts[Self.childIndex(entry.hash, depth)].append(entry) }
        let nodes =
            depth == 0
            ? concurrentMap(count: Self.width) { [parts] index in Self(parts[index], depth: 1) }
            : parts.map { Self($0, depth: depth + 1) }
        self = .branch(ContiguousArray(nodes))
    }

    /// The bucket for `hash`, in this node at `depth`.
    ///
    /// Calls itself: a loop would retain and release the node of each level.
    fileprivate func bucket(of hash: UInt, depth: Int) -> ContiguousArray<HashTrie.Entry> {
        switch self {
        case .branch(let children):
            children[Self.childIndex(hash, depth)].bucket(of: hash, depth: depth + 1)
        case .bucket(let entries): entries
        }
    }

    fileprivate mutating func insert(_ entry: HashTrie.Entry, depth: Int) {
        switch take() {
        case .branch(var children):
            children[Self.childIndex(entry.hash, depth)].insert(entry, depth: depth + 1)
            self = .branch(children)
        case .bucket(var entries):
            entries.append(entry)
            self = Self(entries, depth: depth)
        }
    }

    fileprivate mutating func replace(
        _ hash: UInt, with replacement: Value?, depth: Int, where matches: (Value) -> Bool
    ) {
        switch take() {
        case .branch(var children):
            let index = Self.childIndex(hash, depth)
            children[index].replace(hash, with: replacement, depth: depth + 1, where: matches)
            let mayJoin = replacement == nil && children[index].isEmpty
            self = mayJoin ? Self(joining: children) : .branch(children)
        case .bucket(var entries):
            if let index = entries.firstIndex(where: { $0.hash == hash && matches($0.value) }) {
                if let replacement {
                    entries[index].value = replacement
                } else {
                    entries.swapAt(index, entries.count - 1)
                    entries.removeLast()
                }
            }
            self = .bucket(entries)
        }
    }

    /// Leaves an empty bucket, so that the contents of this node can be changed without a copy.
    private mutating func take() -> Self {
        defer { self = .bucket([]) }
        return self
    }

    private var isEmpty: Bool {
        if case .bucket(let entries) = self { entries.isEmpty } else { false }
    }

    /// A bucket with the entries of `children` if these are buckets and fill at most half of one, else a branch.
    private init(joining children: ContiguousArray<Self>) {
        var entries: ContiguousArray<HashTrie.Entry> = []
        for child in children {
            guard case .bucket(let part) = child,
                entries.count + part.count <= HashTrie.capacity / 2
            else {
                self = .branch(children)
                return
            }
            entries += part
        }
        self = .bucket(entries)
    }

    fileprivate func forEachBucket(_ body: (ContiguousArray<HashTrie.Entry>) -> Void) {
        switch self {
        case .branch(let children): for child in children { child.forEachBucket(body) }
        case .bucket(let entries): body(entries)
        }
    }
}
