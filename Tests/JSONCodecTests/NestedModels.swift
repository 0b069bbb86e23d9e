import Foundation

/// A type whose values contain values of the same type.
protocol Nested: Codable, Equatable {
    /// The innermost value.
    static var end: Self { get }
    /// A value that contains `inner`.
    init(around inner: Self)
}

extension Nested {
    /// Values in one another, as many as `count`.
    init(nested count: Int) {
        self = (1..<count).reduce(.end) { inner, _ in Self(around: inner) }
    }
}

/// Arrays in one another, without keys: one level each.
struct Lists: Nested {
    private var lists: [Lists] = []

    static var end: Lists { Lists(lists: []) }
    init(around inner: Lists) { lists = [inner] }
    private init(lists: [Lists]) { self.lists = lists }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { lists.append(try container.decode(Lists.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for list in lists { try container.encode(list) }
    }
}

/// The heading of an outline, with its children: two levels each, but one for the innermost.
struct Outline: Nested {
    var title = "a heading"
    var children: [Outline]?

    static var end: Outline { Outline() }
    init() {}
    init(around inner: Outline) { children = [inner] }
}

/// Keyed containers in one another: two levels each, as Swift encodes the case of an enum.
indirect enum Chain: Nested {
    case last(Bool)
    case link(Chain)

    static var end: Chain { .last(true) }
    init(around inner: Chain) { self = .link(inner) }
}

/// Dictionaries in one another: two levels each.
struct Names: Nested {
    var names: [String: Names]

    static var end: Names { Names(names: [:]) }
    private init(names: [String: Names]) { self.names = names }
    init(around inner: Names) { names = ["a": inner] }
}

/// Objects of a class: one level each.
final class Link: Nested, Sendable {
    let next: Link?

    static var end: Link { Link(next: nil) }
    private init(next: Link?) { self.next = next }
    init(around inner: Link) { next = inner }

    static func == (left: Link, right: Link) -> Bool { left.next == right.next }
}

/// A number or a list, in a container of a single value: one level each.
indirect enum Tree: Nested {
    case leaf(Int)
    case list([Tree])

    static var end: Tree { .list([.leaf(1)]) }
    init(around inner: Tree) { self = .list([inner]) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = .leaf(try container.decode(Int.self))
        } catch DecodingError.typeMismatch {
            self = .list(try container.decode([Tree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .leaf(let number): try container.encode(number)
        case .list(let trees): try container.encode(trees)
        }
    }
}

/// Many members: two levels each, and three for the innermost.
struct Wide: Nested {
    struct Members: Codable, Equatable {
        var number = 1
        var text = "text"
        var ratio = 0.5
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var list = [1]
        var optional: Int? = 1
        var isOn = true
        var id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        var bytes = Data([0])
        var price = Decimal(1)
    }

    var first = Members()
    var second = Members()
    var inner: [Wide] = []
    var third = Members()
    var last = Members()

    static var end: Wide { Wide() }
    init() {}
    init(around inner: Wide) { self.inner = [inner] }
}
