/// The keys of one object in order, as ranges of a text.
///
/// Keys are equal if they are canonically equivalent, as in Foundation. Almost all keys are plain: ASCII
/// without escapes. Plain keys are equal if their bytes are equal.
final class KeyTable {
    struct Entry {
        /// The first eight bytes of the key; a shorter key is followed by zeros.
        fileprivate var prefix: UInt64
        fileprivate var start: UInt32
        fileprivate var length: UInt32
        /// The position of the value when decoding, and of the member when encoding.
        var value: UInt32
    }

    private let buffer = Buffer<Entry>()
    /// The decoded keys that are not plain, by their index; these are compared, not the bytes in the text.
    private var otherKeys: [Int: String] = [:]
    private var isPlain = true
    /// The indexes of the first `count` keys, once a key was not near the place where it was expected.
    private var indexes: (count: Int, byKey: [String: Int])?
    #if DEBUG
        /// How many keys were compared or noted, for tests.
        private(set) var steps = 0
    #endif

    /// How often a key was looked for among more than ``limit`` keys.
    private var searches = 0

    /// How many keys are compared with a wanted one at no notable cost.
    private static let limit = 32
    /// After so many searches among all keys, the keys are noted in `indexes`.
    private static let searchLimit = 16

    /// Adds a plain key.
    @inline(__always)
    func append(_ key: Range<Int>, value: Int, in text: UnsafePointer<UInt8>) {
        let prefix = Self.prefix(text + key.lowerBound, key.count)
        buffer.append(
            Entry(
                prefix: prefix, start: UInt32(truncatingIfNeeded: key.lowerBound),
                length: UInt32(truncatingIfNeeded: key.count),
                value: UInt32(truncatingIfNeeded: value)))
    }

    /// Adds any other key.
    func append(_ key: String, value: Int) {
        isPlain = false
        otherKeys[buffer.count] = key
        buffer.append(
            Entry(prefix: 0, start: 0, length: .max, value: UInt32(truncatingIfNeeded: value)))
    }

    func removeAll() {
        buffer.removeAll()
        if !isPlain { (otherKeys, isPlain) = ([:], true) }
        if searches > 0 { (searches, indexes) = (0, nil) }
    }

    /// Puts the keys in another order.
    ///
    /// - Parameter order: For each key its index so far, and by how many bytes its member has moved in the text.
    func reorder(_ order: [(index: Int, distance: Int)]) {
        let (old, others) = (Array(entries), otherKeys)
        buffer.removeAll()
        otherKeys = [:]
        indexes = nil
        for (index, distance) in order {
            var entry = old[index]
            let distance = UInt32(truncatingIfNeeded: distance)
            entry.start &+= distance
            entry.value &+= distance
            if let key = others[index] { otherKeys[buffer.count] = key }
            buffer.append(entry)
        }
    }

    var entries: UnsafeBufferPointer<Entry> { buffer.elements }
}

extension KeyTable {
    /// The index of `key`; the search begins at `start`, where the next key usually is.
    @inline(__always)
    func index(of key: String, from start: Int, in text: UnsafePointer<UInt8>) -> Int? {
        var key = key
        let found = key.withUTF8 { wanted -> Int? in
            guard let base = wanted.baseAddress else { return nil }
            return index(of: base, wanted.count, from: start, in: text)
        }
        if found != nil { return found }
        if entries.count > Self.limit {
            searches += 1
            if searches > Self.searchLimit { return index(of: key, in: text) }
        }
        if isPlain && key.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        return entries.indices.first { self.key(at: $0, in: text) == key }
    }

    private func index(of key: String, in text: UnsafePointer<UInt8>) -> Int? {
        if let indexes, indexes.count == entries.count { return indexes.byKey[key] }
        let keys = entries.indices.map { (self.key(at: $0, in: text), $0) }
        #if DEBUG
            steps += keys.count
        #endif
        let byKey = Dictionary(keys) { first, _ in first }
        indexes = (entries.count, byKey)
        return byKey[key]
    }

    @inline(__always)
    private func index(
        of wanted: UnsafePointer<UInt8>, _ count: Int, from start: Int,
        in text: UnsafePointer<UInt8>
    ) -> Int? {
        let prefix = Self.shortPrefix(wanted, count)
        let entries = entries
        var index = start
        let most = searches < Self.searchLimit ? entries.count : min(entries.count, Self.limit)
        for step in 0..<most {
            #if DEBUG
                steps += 1
            #endif
            if index >= entries.count { index = 0 }
            let entry = entries[index]
            if entry.prefix == prefix && entry.length == UInt32(truncatingIfNeeded: count)
                && Self.isEqual(wanted, text + Int(entry.start), count)
            {
                if step >= Self.limit { searches += 1 }
                return index
            }
            index += 1
        }
        return nil
    }

    /// The key at `index`.
    func key(at index: Int, in text: UnsafePointer<UInt8>) -> String {
        if !isPlain, let key = otherKeys[index] { return key }
        let entry = entries[index]
        let bytes = UnsafeBufferPointer(start: text + Int(entry.start), count: Int(entry.length))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether any two keys are equal.
    func hasDuplicate(in text: UnsafePointer<UInt8>) -> Bool {
        guard isPlain && entries.count <= Self.limit else {
            return Set(entries.indices.map { key(at: $0, in: text) }).count < entries.count
        }
        let entries = entries
        for last in entries.indices {
            let entry = entries[last]
            for earlier in entries[..<last]
            where earlier.prefix == entry.prefix && earlier.length == entry.length
                && Self.isEqual(
                    text + Int(earlier.start), text + Int(entry.start), Int(entry.length))
            {
                return true
            }
        }
        return false
    }

    /// Whether two keys with equal prefixes and lengths are equal.
    @inline(__always)
    private static func isEqual(
        _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        var offset = 8
        while offset < count {
            guard left[offset] == right[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// The prefix of a key; eight bytes must be readable there.
    @inline(__always)
    private static func prefix(_ key: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let word = UInt64(littleEndian: UnsafeRawPointer(key).loadUnaligned(as: UInt64.self))
        return count >= 8 ? word : word & ((1 << UInt64(count * 8)) &- 1)
    }

    /// The prefix of a key, read from its own bytes only: the memory after them may not be readable.
    @inline(__always)
    private static func shortPrefix(_ key: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        guard count < 8 else { return prefix(key, count) }
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(key[offset]) << UInt64(offset * 8) }
        return word
    }
}
