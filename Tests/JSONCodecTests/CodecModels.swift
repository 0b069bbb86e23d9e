import Foundation
import TestSupport

@testable import JSONCodec

/// A type with every kind of member.
struct Specimen: Codable, Hashable {
    enum Mood: String, Codable, CaseIterable { case calm, wild }
    enum Shape: Codable, Hashable {
        case point
        case circle(radius: Double)
        indirect case pair(Shape, Shape)
    }
    struct Named: Hashable, Codable, CodingKeyRepresentable {
        var name: String
        var codingKey: any CodingKey { Key(stringValue: name) }
        init(name: String) { self.name = name }
        init?(codingKey: some CodingKey) { name = codingKey.stringValue }
    }
    struct Key: CodingKey, Hashable, Codable {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var id: UUID
    var title: String
    var note: String?
    var date: Date
    var link: URL?
    var bytes: Data
    var price: Decimal
    var isOn: Bool
    var mood: Mood
    var shapes: [Shape]
    var small: Int8
    var large: UInt64
    var huge: Int128
    var ratio: Double
    var rough: Float
    var numbers: [Int?]
    var grid: [[Double]]
    var byName: [String: Int]
    var byNumber: [Int: String]
    var byRepresentable: [Named: Bool]
    var byOther: [Key: UInt16]
}

extension Specimen {
    /// A random value.
    init(_ random: inout SeededGenerator) {
        id = UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
        title = .random(&random)
        note = Bool.random(using: &random) ? .random(&random) : nil
        date = Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
        link = Bool.random(using: &random) ? URL(string: "https://a.b/c?d=e#f") : nil
        bytes = Data(
            (0..<Int.random(in: 0...9, using: &random)).map { UInt8(truncatingIfNeeded: $0 * 37) })
        price = Decimal(Int.random(in: -9_999_999...9_999_999, using: &random)) / 100
        isOn = .random(using: &random)
        mood = isOn ? .calm : .wild
        shapes = [.point, .circle(radius: .random(&random)), .pair(.point, .circle(radius: 1.5))]
        small = .random(in: .min ... .max, using: &random)
        large = random.next()
        huge = Int128(truncatingIfNeeded: random.next()) * Int128(random.next() >> 2)
        ratio = .random(&random)
        rough = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        if !rough.isFinite { rough = 0.1 }
        numbers = (0..<3).map { _ in Bool.random(using: &random) ? nil : Int(random.next() >> 1) }
        grid = [[], [.random(&random), 0], [-0.0]]
        byName = [.random(&random): -2]
        byNumber = [Int(random.next() >> 33): .random(&random)]
        byRepresentable = [.init(name: .random(&random)): true]
        byOther = [.init(stringValue: .random(&random)): 7]
    }
}

extension String {
    /// Text with escapes and with characters of several planes.
    static func random(_ random: inout SeededGenerator) -> String {
        let pieces = [
            "a", "Z", "0", "key", "\"", "\\", "/", "\n", "\t", "\r", "\u{8}", "\u{c}", "\u{0}",
            "\u{1f}", "\u{7f}", "é", "e\u{301}", "ß", "漢", "\u{2028}", "😀", "👨‍👩‍👧", " ",
            "a longer piece of plain text",
        ]
        return (0..<Int.random(in: 0...12, using: &random)).map { _ in
            pieces[Int.random(in: pieces.indices, using: &random)]
        }.joined()
    }
}

extension Double {
    /// A finite number of any magnitude.
    static func random(_ random: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: random.next())
        return number.isFinite ? number : 1e308
    }
}
