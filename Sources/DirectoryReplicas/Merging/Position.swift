/// Where an item is in the order of its collection: text that is compared byte by byte.
///
/// Between two positions there is always another one. It consists of the digits `0-9A-Za-z`, in this order, and does
/// not end in `0`.
package struct Position: Hashable, Sendable, Comparable {
    package let text: String

    /// In bytes.
    static let maximumLength = 4096
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let base = 62
    /// The first digits, which count up and down at the ends of a collection.
    private static let head = 6

    /// The position with this text; nil if it is not one.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...Self.maximumLength).contains(bytes.count), bytes.last != UInt8(ascii: "0"),
            bytes.allSatisfy({ Self.value(of: $0) != nil })
        else { return nil }
        self.text = text
    }

    private init(digits: [Int]) {
        text = String(decoding: digits.map { Self.digits[$0] }, as: UTF8.self)
    }

    package static func < (left: Self, right: Self) -> Bool {
        // ASCII text is in the order of its bytes.
        left.text < right.text
    }

    /// Whether it is so long that all items of the collection get new ones.
    var isLong: Bool { text.utf8.count > Self.maximumLength / 16 }

    private var values: [Int] { text.utf8.compactMap(Self.value) }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case 0x30...0x39: Int(digit) - 0x30
        case 0x41...0x5A: Int(digit) - 0x41 + 10
        case 0x61...0x7A: Int(digit) - 0x61 + 36
        default: nil
        }
    }
}

extension Position {
    /// `count` ascending positions between two others; nil for the ends of the collection.
    ///
    /// All of them begin with the same random digits, so that two runs that devices put in one place at the same time
    /// do not interleave.
    package static func run(
        between lower: Position?, and upper: Position?, count: Int,
        using random: inout some RandomNumberGenerator
    ) -> [Position] {
        var start = start(between: lower?.values, and: upper?.values, using: &random)
        for _ in 0..<2 { start.append(.random(in: 1..<base, using: &random)) }
        if count == 1 { return [Position(digits: start)] }
        var width = 1
        var room = base - 1
        while room < count {
            width += 1
            room *= base
        }
        return (0..<count).map { number in
            // The last digit is never 0.
            var digits = [1 + number % (base - 1)]
            var rest = number / (base - 1)
            for _ in 1..<width {
                digits.append(rest % base)
                rest /= base
            }
            return Position(digits: start + digits.reversed())
        }
    }

    /// Digits that are greater than `lower` and less than `upper`, whatever follows them.
    private static func start(
        between lower: [Int]?, and upper: [Int]?, using random: inout some RandomNumberGenerator
    ) -> [Int] {
        let end = (0..<head).reduce(1) { product, _ in product * base }
        var number: Int?
        switch (lower, upper) {
        case (nil, nil): number = end / 2 + .random(in: 0..<base * base, using: &random)
        case (let lower?, nil):
            number = headNumber(of: lower) + .random(in: 1...base, using: &random)
        case (nil, let upper?):
            number = headNumber(of: upper) - .random(in: 1...base, using: &random)
        case (_?, _?): break
        }
        guard var number, (1..<end).contains(number) else {
            return middle(lower ?? [], upper, using: &random)
        }
        var digits: [Int] = []
        for _ in 0..<head {
            digits.append(number % base)
            number /= base
        }
        return digits.reversed()
    }

    private static func headNumber(of digits: [Int]) -> Int {
        (0..<head).reduce(0) { $0 * base + ($1 < digits.count ? digits[$1] : 0) }
    }

    private static func middle(
        _ lower: [Int], _ upper: [Int]?, using random: inout some RandomNumberGenerator
    ) -> [Int] {
        var (digits, upper): ([Int], [Int]?) = ([], upper)
        while true {
            let low = digits.count < lower.count ? lower[digits.count] : 0
            let high =
                upper.map { digits.count < $0.count ? $0[digits.count] : 0 } ?? base
            if high - low > 1 {
                return digits + [.random(in: low + 1..<high, using: &random)]
            }
            digits.append(low)
            // From here on everything is less than the upper one.
            if high - low == 1 { upper = nil }
        }
    }
}
