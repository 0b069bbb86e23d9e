package import Foundation
import JSONCodec

/// Identifies an item among all items of its kind, whatever container it is in.
///
/// An id that is a UUID is unique everywhere, so the item can move to another container. An id that is text is
/// unique in its collection only, so the key has that of the container before it: `<container>/<id>`, where a slash
/// and a percent sign of the id are written as `%2F` and `%25`.
package enum ItemKey: Hashable, Sendable {
    case uuid(UUID)
    case text(String)

    /// The key with this text.
    package init(text: String) {
        let isUpper = text.utf8.allSatisfy { $0 < UInt8(ascii: "a") }
        if text.utf8.count == 36, isUpper,
            let uuid = JSONMembers.uuid(of: Array("\"\(text)\"".utf8)[...])
        {
            self = .uuid(uuid)
        } else {
            self = .text(text)
        }
    }

    /// The key of an item whose id is text, in a container; nil for an item of the root.
    package init(id: String, in container: ItemKey?) {
        // By bytes: a slash and a combining mark are one character.
        let escaped =
            id.utf8.contains { [UInt8(ascii: "%"), UInt8(ascii: "/")].contains($0) }
            ? String(
                decoding: id.utf8.flatMap { byte -> [UInt8] in
                    switch byte {
                    case UInt8(ascii: "%"): Array("%25".utf8)
                    case UInt8(ascii: "/"): Array("%2F".utf8)
                    default: [byte]
                    }
                }, as: UTF8.self) : id
        self.init(text: container.map { "\($0.text)/\(escaped)" } ?? escaped)
    }

    package var text: String {
        switch self {
        case .uuid(let uuid): uuid.uuidString
        case .text(let text): text
        }
    }

    /// The id of an item whose id is text.
    package var id: String {
        let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
        let last = slash.map { text.utf8[text.utf8.index(after: $0)...] } ?? text.utf8[...]
        var bytes: [UInt8] = []
        var rest = last
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.starts(with: "2F".utf8) {
                bytes.append(UInt8(ascii: "/"))
                rest = rest.dropFirst(2)
            } else if byte == UInt8(ascii: "%"), rest.starts(with: "25".utf8) {
                bytes.append(UInt8(ascii: "%"))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ItemKey: Comparable {
    /// The order of the texts, which is that of the bytes of two UUIDs.
    package static func < (left: Self, right: Self) -> Bool {
        if case .uuid(let left) = left, case .uuid(let right) = right { return left < right }
        return left.text < right.text
    }
}

/// An item: its kind and its key.
package struct ItemReference: Hashable, Sendable {
    package var kind: String
    package var key: ItemKey

    package init(_ kind: String, _ key: ItemKey) { (self.kind, self.key) = (kind, key) }
}

/// A collection: its kind, which is that of its items, and the container that it is in; nil for the root.
package struct CollectionReference: Hashable, Sendable {
    package var kind: String
    package var container: ItemKey?

    package init(_ kind: String, in container: ItemKey?) {
        (self.kind, self.container) = (kind, container)
    }

    /// The container that the collection is in; nil for the root.
    package var owner: ItemReference? {
        guard let parent = Kind.parent(of: kind), let container else { return nil }
        return ItemReference(parent, container)
    }
}

/// The names of kinds: the stem of the root, then the names of children, with slashes between them.
enum Kind {
    /// The kind of the containers that items of `kind` are in; nil if they are those of the root.
    static func parent(of kind: String) -> String? {
        kind.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(kind[..<$0]) }
    }

    /// Whether `kind` is `other`, or that of items in containers of `other`.
    static func isSameOrBelow(_ kind: String, _ other: String) -> Bool {
        kind == other || kind.hasPrefix("\(other)/")
    }

    static func child(_ name: String, of kind: String) -> String { "\(kind)/\(name)" }
}
