/// A container that is being decoded, as a link of the coding path.
class JSONFrame {
    /// The container that this one stands in.
    final var parent: JSONFrame?
    /// The key that this container has in its parent.
    final var key: (any CodingKey)?

    final var path: [any CodingKey] { Self.path(of: key, in: parent) }

    static func path(of key: (any CodingKey)?, in parent: JSONFrame?) -> [any CodingKey] {
        (parent?.path ?? []) + (key.map { [$0] } ?? [])
    }
}

/// An object that is being decoded.
final class ObjectFrame: JSONFrame {
    let text: JSONText
    /// The decoder that opened the object, until no one has it any more.
    private(set) var decoder: JSONValueDecoder?
    /// Where the object begins in the text; -1 if its members were not looked for.
    private(set) var start = -1
    let keys = KeyTable()
    /// Whether a key has half of a surrogate pair.
    private(set) var isBroken = false
    /// Where the search for a key begins: after the one that was found last.
    private var cursor = 0
    /// A frame for the next object inside this one.
    var inner: ObjectFrame?

    init(text: JSONText) {
        self.text = text
    }

    /// Finds the members of the object at `scanner`, which stands in `depth` containers, and
    /// moves past it.
    func scan(_ scanner: inout JSONScanner, depth: Int) throws {
        start = scanner.position
        cursor = 0
        isBroken = false
        keys.removeAll()
        scanner.position += 1
        scanner.skipSpace()
        if scanner.take("}") { return }
        repeat {
            scanner.skipSpace()
            let key = scanner.position
            try scanner.name()
            if scanner.isPlain {
                keys.append(key + 1..<scanner.endOfString, value: scanner.position, in: text.base)
            } else {
                let name = text.string(at: key)
                isBroken = isBroken || name == nil
                keys.append(name ?? "", value: scanner.position)
            }
            try scanner.value(depth: depth + 1)
            scanner.skipSpace()
        } while scanner.take(",")
        guard scanner.take("}") else {
            throw scanner.error("a comma or the end of an object is missing")
        }
    }

    func open(by decoder: JSONValueDecoder, in parent: JSONFrame?, _ key: (any CodingKey)?) {
        self.decoder = decoder
        if parent != nil { (self.parent, self.key) = (parent, key) }
    }

    /// Makes this frame and those inside it free for their next use, but for those that a type
    /// keeps.
    func close() {
        decoder = nil
        start = -1
        if parent != nil { (parent, key) = (nil, nil) }
        guard var next = inner, next.decoder != nil else { return }
        inner = nil
        if isKnownUniquelyReferenced(&next) {
            next.close()
            inner = next
        }
    }

    var names: [String] { keys.entries.indices.map { keys.key(at: $0, in: text.base) } }

    /// Where the value of `key` begins in the text, nil if there is none.
    @inline(__always)
    func value(of key: some CodingKey) -> Int? {
        guard let index = keys.index(of: key.stringValue, from: cursor, in: text.base) else {
            return nil
        }
        cursor = index + 1
        return Int(keys.entries[index].value)
    }
}
