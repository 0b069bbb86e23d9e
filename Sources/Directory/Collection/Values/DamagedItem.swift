import Foundation
import JSONCodec

/// An element of an index that is not an item, as ``Directory/damagedItems`` reports it.
///
/// `migrateDamagedItems(_:)-((DamagedItem)` makes it an item again.
public struct DamagedItem: Sendable {
    /// Its JSON, as the index has it, byte for byte.
    public let json: String
    /// Why it is not an item.
    public let reason: String
    /// The error that decoding it threw, usually a `DecodingError`; nil if it can be decoded, but has
    /// the id of an earlier item, or an invalid one.
    public let error: (any Error)?
    /// Its position among all elements of the index, items as well as damaged ones, from 0 on.
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

    /// Decodes it as another type, such as what an older version of the app wrote.
    ///
    /// - Throws: A `DecodingError`, or what the `init(from:)` of the type throws.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try LineDecoder.decode(type, from: Array(json.utf8), with: decoder)
    }
}

extension DamagedItem: Hashable {
    /// Whether both are the same element; errors cannot be compared, but their reasons are.
    public static func == (left: Self, right: Self) -> Bool {
        left.json == right.json && left.reason == right.reason && left.position == right.position
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(json)
        hasher.combine(position)
    }
}

extension Directory.Items {
    /// What users see of `lines`, which are damaged and in the order of the index.
    func describe(_ lines: [Directory.DamagedLine], _ options: DirectoryOptions) -> [DamagedItem] {
        lines.enumerated().map { number, line in
            DamagedItem(
                json: String(decoding: line.line, as: UTF8.self), reason: line.reason,
                error: line.error,
                position: number + (line.predecessor.flatMap(index(of:)).map { $0 + 1 } ?? 0),
                decoder: options.decoder)
        }
    }
}
