/// The keys of one object in order, as places in its text.
///
/// Keys are compared as Foundation does, by canonical equivalence; almost all of them are plain
/// ASCII, for which that means byte by byte.
final class KeyTable {
    struct Entry {
        /// The first eight bytes of the key, or all and zeros.
        fileprivate var prefix: UInt64
        fileprivate var start: UInt32
        fileprivate var length: UInt32
        /// Where the value begins.
        var value: UInt32
    }

    private let buffer = Buffer<Entry>()
    /// The keys that are not plain, by their index; what they are in the text is not compared.
    private var others: [Int: String] = [:]
    private var isPlain = true

    /// Adds a key of ASCII without escapes.
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
        others[buffer.count] = key
        buffer.append(
            Entry(prefix: 0, start: 0, length: .max, value: UInt32(truncatingIfNeeded: value)))
    }

    func removeAll() {
        buffer.removeAll()
        if !isPlain { (others, isPlain) = ([:], true) }
    }

    var entries: UnsafeBufferPointer<Entry> { buffer.elements }
}

extension KeyTable {
    /// The index of `key`; the search begins at `cursor`, where the next key usually is.
    @inline(__always)
    func index(of key: String, from cursor: Int, in text: UnsafePointer<UInt8>) -> Int? {
        var key = key
        let found = key.withUTF8 { wanted -> Int? in
            guard let base = wanted.baseAddress else { return nil }
            return index(of: base, wanted.count, from: cursor, in: text)
        }
        if found != nil || (isPlain && key.utf8.allSatisfy { $0 < 0x80 }) { return found }
        return entries.indices.first { self.key(at: $0, in: text) == key }
    }

    @inline(__always)
    private func index(
        of wanted: UnsafePointer<UInt8>, _ count: Int, from cursor: Int,
        in text: UnsafePointer<UInt8>
    ) -> Int? {
        let prefix = Self.shortPrefix(wanted, count)
        let entries = entries
        var index = cursor
        for _ in 0..<entries.count {
            if index >= entries.count { index = 0 }
            let entry = entries[index]
            if entry.prefix == prefix && entry.length == UInt32(truncatingIfNeeded: count)
                && Self.isEqual(wanted, text + Int(entry.start), count)
            {
                return index
            }
            index += 1
        }
        return nil
    }

    /// The key at `index`.
    func key(at index: Int, in text: UnsafePointer<UInt8>) -> String {
        if !isPlain, let key = others[index] { return key }
        let entry = entries[index]
        let bytes = UnsafeBufferPointer(start: text + Int(entry.start), count: Int(entry.length))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a key stands twice.
    func hasDuplicate(in text: UnsafePointer<UInt8>) -> Bool {
        guard isPlain && entries.count <= 32 else {
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

    /// Whether two keys with the same prefix are the same to their end.
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

    /// The prefix of a key that at least eight readable bytes begin with.
    @inline(__always)
    private static func prefix(_ key: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let word = UInt64(littleEndian: UnsafeRawPointer(key).loadUnaligned(as: UInt64.self))
        return count >= 8 ? word : word & ((1 << UInt64(count * 8)) &- 1)
    }

    /// The prefix of a key that may end where readable memory ends.
    @inline(__always)
    private static func shortPrefix(_ key: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        guard count < 8 else { return prefix(key, count) }
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(key[offset]) << UInt64(offset * 8) }
        return word
    }
}
