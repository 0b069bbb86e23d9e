import Directory
import Dispatch
import Foundation

extension Bench {
    /// Opening and loading `n` items, against the `init(from:)` of the items alone, on all cores.
    ///
    /// No decoder can make the items in less time: the reference reads no JSON, and keeps no items.
    func loadCodable(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        try scratch.writeTracks(n)
        let parts = ProcessInfo.processInfo.activeProcessorCount
        let values = ConstantDecoder(of: Track(7))
        guard try Track(from: values).id == 7 else { throw POSIXError(.EIO) }
        let medians = try measure(rounds: isQuick ? 1 : 5) { _ in
            let tracks = try Directory<Track>(at: scratch.url, index: "tracks.json")
            try tracks.load()
            try tracks.close()
        } reference: { _ in
            DispatchQueue.concurrentPerform(iterations: parts) { part in
                for _ in stride(from: part, to: n, by: parts) {
                    _ = try? Track(from: values)
                }
            }
        }
        return Measurement(medians: medians, reference: .ownCode, goal: .ratio(atMost: 1.5))
    }
}

/// Gives the same values to each item that is decoded; a string is a new one each time.
private struct ConstantDecoder: Decoder, Sendable {
    private let track: Track
    private let title: [UInt8]

    init(of track: Track) { (self.track, title) = (track, Array(track.title.utf8)) }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Container(track: track, title: title))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unsupported() }

    private struct Unsupported: Error {}

    private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let track: Track
        let title: [UInt8]

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode(_ type: Bool.Type, forKey key: Key) -> Bool { track.isFavourite }
        func decode(_ type: String.Type, forKey key: Key) -> String {
            String(decoding: title, as: UTF8.self)
        }

        func decode(_ type: Double.Type, forKey key: Key) -> Double { track.seconds }
        func decode(_ type: Int.Type, forKey key: Key) -> Int { track.id }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            guard let value = track.added as? T else { throw Unsupported() }
            return value
        }

        func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) throws
            -> KeyedDecodingContainer<Inner>
        {
            throw Unsupported()
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw Unsupported()
        }

        func superDecoder() throws -> any Decoder { throw Unsupported() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw Unsupported() }
    }
}
