/// The members of an object that is being decoded.
///
/// A decoder reuses these objects, one for each level, to save allocations.
final class JSONObject: CodingPathNode {
    let input: JSONInput
    /// The decoder that opened the object; nil while this is free for its next use.
    private(set) var decoder: JSONValueDecoder?
    /// Where the object begins in the input; -1 while this is free for its next use.
    private(set) var start = -1
    let keys = KeyTable()
    /// Whether a key contains half of a surrogate pair.
    private(set) var hasInvalidKey = false
    /// The index at which the search for a key begins: after the key that was found last.
    private var nextIndex = 0
    /// The object to reuse for the next object inside of this one.
    var inner: JSONObject?
    /// Whether a type keeps this, so that it is in no other object's `inner`.
    ///
    /// Nothing would close an object in its own, which refers back to it.
    var isKept = false

    init(input: JSONInput) {
        self.input = input
    }

    override var innermostObject: JSONObject? { self }

    /// Finds the members of the object at `scanner`, which is inside of `depth` containers, and
    /// skips it.
    func scan(_ scanner: inout JSONScanner, depth: Int) throws {
        start = scanner.position
        nextIndex = 0
        hasInvalidKey = false
        keys.removeAll()
        let base = input.base
        scanner.position += 1
        scanner.skipSpace()
        if scanner.take("}") { return }
        repeat {
            scanner.skipSpace()
            let key = scanner.position
            try scanner.skipName()
            if scanner.isPlain {
                keys.append(key + 1..<scanner.endOfString, value: scanner.position, in: base)
            } else {
                let name = input.string(at: key)
                hasInvalidKey = hasInvalidKey || name == nil
                keys.append(name ?? "", value: scanner.position)
            }
            try scanner.skipValue(depth: depth + 1)
            scanner.skipSpace()
        } while scanner.take(",")
        guard scanner.take("}") else {
            throw scanner.error("a comma or the end of an object is missing")
        }
    }

    func open(by decoder: JSONValueDecoder, in parent: CodingPathNode?, _ key: (any CodingKey)?) {
        self.decoder = decoder
        if parent != nil { (self.parent, self.key) = (parent, key) }
    }

    /// Frees the objects inside of this one for their next use, and forgets objects that a type keeps.
    ///
    /// Begins with the innermost, because each object refers to the one around it as its parent.
    func closeInner() {
        guard var next = inner, next.start >= 0 else { return }
        next.closeInner()
        inner = nil
        if isKnownUniquelyReferenced(&next) {
            (next.decoder, next.start) = (nil, -1)
            if next.parent != nil { (next.parent, next.key) = (nil, nil) }
            inner = next
        } else {
            next.isKept = true
        }
    }

    var names: [String] { keys.entries.indices.map { keys.key(at: $0, in: input.base) } }

    /// Where the value of `key` begins in the input; nil if the object does not have the key.
    @inline(__always)
    func value(of key: some CodingKey) -> Int? {
        guard let index = keys.index(of: key.stringValue, from: nextIndex, in: input.base) else {
            return nil
        }
        nextIndex = index + 1
        return Int(keys.entries[index].value)
    }
}
