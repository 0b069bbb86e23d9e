import Foundation

@testable import JSONCodec

/// The outcome of decoding or encoding: a value, or the code and coding path of an error.
enum CodecOutcome<Value: Equatable>: Equatable, CustomStringConvertible {
    case value(Value)
    case failure(String)

    init(_ body: () throws -> Value) {
        do {
            self = .value(try body())
        } catch DecodingError.typeMismatch(let type, let context) {
            self = .failure("typeMismatch \(type) at \(Self.path(context.codingPath))")
        } catch DecodingError.valueNotFound(let type, let context) {
            self = .failure("valueNotFound \(type) at \(Self.path(context.codingPath))")
        } catch DecodingError.keyNotFound(let key, let context) {
            self = .failure("keyNotFound \(Self.path([key])) at \(Self.path(context.codingPath))")
        } catch DecodingError.dataCorrupted(let context) {
            self = .failure("dataCorrupted at \(Self.path(context.codingPath))")
        } catch EncodingError.invalidValue(let value, let context) {
            self = .failure("invalidValue \(value) at \(Self.path(context.codingPath))")
        } catch {
            self = .failure("\(error)")
        }
    }

    private static func path(_ path: [any CodingKey]) -> String {
        "\(path.map { "\($0.stringValue)|\($0.intValue.map(String.init) ?? "")" })"
    }

    var isValue: Bool { if case .value = self { true } else { false } }

    var description: String {
        switch self {
        case .value(let value): "value \(value)"
        case .failure(let failure): failure
        }
    }
}

/// The outcome of our decoder.
func ours<Value: Decodable & Equatable>(_ type: Value.Type, _ json: some Sequence<UInt8>)
    -> CodecOutcome<Value>
{
    CodecOutcome { try LineDecoder.decode(type, from: Array(json)) }
}

/// The outcome of Foundation's decoder.
func foundations<Value: Decodable & Equatable>(_ type: Value.Type, _ json: some Sequence<UInt8>)
    -> CodecOutcome<Value>
{
    CodecOutcome { try JSONDecoder().decode(type, from: Data(json)) }
}

/// The line that our encoder writes for `value`.
func line(of value: some Encodable) throws -> String {
    var encoder = LineEncoder()
    try encoder.append(value)
    return String(decoding: encoder.lines.joined(), as: UTF8.self)
}

/// The JSON that Foundation writes for `value`, with sorted keys.
func foundationsJSON(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
