import Foundation
import JSONCodec

/// An element of an index that is not an item, as ``Directory/damagedItems`` reports it.
///
/// ``Directory/Directory/migrateDamagedItems(_:)-6gmcd`` turns it into an item.
public struct DamagedItem: Sendable {
    /// Its JSON, as the index has it, byte for byte.
    public let json: String
    /// Why the element is not an item.
    public let reason: String
    /// The error of decoding the element, usually a `DecodingError`; nil if the element can be
    /// decoded, but has an invalid id or the id of an earlier item.
    public let error: (any Error)?
    /// The position among all elements of the index, items and damaged ones, from 0 on.
    public let position: Int
    private let decoder: JSONDecoder?

    init(
        json: String, reason: String, error: (any Error)?, position: Int, decoder: JSONDecoder?
    ) {
        self.json = json
        self.reason = reason
        self.error = error
        self.position = position
        self.decoder = decoder
    }

    /// Decodes the element as another type, such as a type of an older version of the app.
    ///
    /// - Throws: A `DecodingError`, or an error of the type's `init(from:)`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try LineDecoder.decode(type, from: Array(json.utf8), with: decoder)
    }
}

extension DamagedItem: Hashable {
    /// Whether both are the same element; their errors are compared by their reasons.
    public static func == (left: Self, right: Self) -> Bool {
        left.json == right.json && left.reason == right.reason && left.position == right.position
    }

    /// Hashes the compared properties.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(json)
        hasher.combine(position)
    }
}

extension Snapshot {
    /// The damaged lines as items, in the order of the index.
    func damagedItems(_ options: DirectoryOptions) -> [DamagedItem] {
        damaged.enumerated().map { number, line in
            DamagedItem(
                json: String(decoding: line.line, as: UTF8.self), reason: line.reason,
                error: line.error,
                position: number
                    + (line.predecessor.flatMap(elements.position).map { $0 + 1 } ?? 0),
                decoder: options.decoder)
        }
    }
}
