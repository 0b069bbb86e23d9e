import FileSystem

/// Identifies one store on one device: 128 random bits.
package struct DeviceID: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// A new id.
    package init(using random: inout some RandomNumberGenerator) {
        (high, low) = (random.next(), random.next())
    }

    /// The id with these 32 hexadecimal digits in lower case; nil if `text` is something else.
    package init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 32, let high = UInt64(hexadecimal: digits.prefix(16)),
            let low = UInt64(hexadecimal: digits.suffix(16))
        else { return nil }
        self.init(high: high, low: low)
    }
}

extension DeviceID: CustomStringConvertible, Comparable {
    /// 32 hexadecimal digits in lower case.
    package var description: String {
        high.hexadecimal() + low.hexadecimal()
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// Names one segment of a device by its number.
///
/// Each value that the segment wrote has this dot.
package struct Dot: Hashable, Sendable, Comparable {
    package var device: DeviceID
    package var number: Int

    package init(_ device: DeviceID, _ number: Int) {
        (self.device, self.number) = (device, number)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.number == right.number ? left.device < right.device : left.number < right.number
    }
}

/// A dot and the time of the clock of its device, in milliseconds since 1970.
package struct Stamp: Hashable, Sendable {
    package var dot: Dot
    package var time: Int

    package init(_ dot: Dot, time: Int) { (self.dot, self.time) = (dot, time) }
}

/// How many segments of each device are known, without gaps.
package struct VersionVector: Hashable, Sendable {
    package private(set) var numbers: [DeviceID: Int] = [:]

    package init(_ numbers: [DeviceID: Int] = [:]) {
        self.numbers = numbers.filter { $0.value > 0 }
    }

    package subscript(device: DeviceID) -> Int {
        get { numbers[device] ?? 0 }
        set { numbers[device] = newValue > 0 ? newValue : nil }
    }

    package func covers(_ dot: Dot) -> Bool { self[dot.device] >= dot.number }

    /// Whether this vector covers all that `other` covers.
    package func covers(_ other: Self) -> Bool {
        other.numbers.allSatisfy { self[$0.key] >= $0.value }
    }

    package mutating func formUnion(_ other: Self) {
        numbers.merge(other.numbers) { max($0, $1) }
    }
}
