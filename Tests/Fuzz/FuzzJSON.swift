import Foundation

@testable import JSONCodec

/// A value with a member of each type that the codec decodes itself, and with nested containers.
private struct Sample: Codable, Equatable {
    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
    }
    var text: String?
    var id: UUID?
    var date: Date?
    var link: URL?
    var bytes: Data?
    var price: Decimal?
    var isOn: Bool?
    var small: Int8?
    var huge: Int128?
    var rough: Float?
    var shapes: [Shape]?
    var byNumber: [Int: [Double?]]?
    var inner: [String: Sample]?
}

/// Any JSON value.
private indirect enum AnyValue: Codable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([AnyValue])
    case object([String: AnyValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([AnyValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: AnyValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        }
    }
}

func fuzzJSON(_ bytes: [UInt8]) {
    checkRoundTrip(Sample.self, bytes)
    checkRoundTrip(AnyValue.self, bytes)
    checkRoundTrip([UInt64].self, bytes)
    checkRoundTrip([String: [String: Int]].self, bytes)
    checkReuse(Sample.self, bytes)
    checkReuse([String: [String: AnyValue]].self, bytes)
    checkLines(bytes)
}

private func checkRoundTrip<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) {
    guard let value = try? LineDecoder.decode(type, from: bytes) else { return }
    var encoder = LineEncoder()
    check(try encoder.append(value) == (), "a decoded value can be encoded")
    let line = Array(encoder.lines.joined())
    check(!line.contains(UInt8(ascii: "\n")), "an encoded value is one line")
    check(try LineDecoder.decode(type, from: line) == value, "an encoded value decodes to itself")
}

/// A decoder decodes each line as a new one would, whatever it has decoded before.
private func checkReuse<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) {
    var reused = LineDecoder(nil)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
        line.withUnsafeBufferPointer { line in
            var new = LineDecoder(nil)
            let expected = try? new.decode(type, from: line)
            check((try? reused.decode(type, from: line)) == expected, "a decoder can be reused")
        }
    }
}

/// An array that is read line by line has the elements that a scan of the whole finds.
private func checkLines(_ bytes: [UInt8]) {
    let elements = try? JSONScanner.elements(of: bytes).map(\.range)
    bytes.withUnsafeBufferPointer { buffer in
        guard let lines = JSONArrayLines(buffer) else { return }
        var found: [Range<Int>] = []
        for (number, chunk) in lines.chunks.enumerated() {
            let isLast = number == lines.chunks.count - 1
            var chunkElements = JSONArrayLines.Elements(chunk, of: buffer, isLast: isLast)
            while let element = chunkElements.next() {
                let line = UnsafeBufferPointer(rebasing: buffer[element])
                guard (try? JSONScanner.element(of: line)) != nil else { return }
                found.append(element)
            }
            guard chunkElements.areSeparated else { return }
        }
        check(found == elements, "the lines are the elements")
    }
    guard elements != nil else { return }
    let compact = bytes.withoutSpaceBetweenTokens()
    check(compact == compact.withoutSpaceBetweenTokens(), "nothing is left to remove")
    check(
        (try? JSONScanner.elements(of: compact).count) == elements?.count,
        "white space between tokens means nothing")
}
