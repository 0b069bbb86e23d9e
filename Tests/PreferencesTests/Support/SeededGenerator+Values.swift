import Foundation
import TestSupport

/// Random values for fuzz tests.
extension SeededGenerator {
    mutating func bytes() -> Data {
        Data((0..<Int(next() % 40)).map { _ in UInt8(truncatingIfNeeded: next()) })
    }

    /// An object that `UserDefaults` accepts, nested at most `depth` times.
    mutating func object(depth: Int = 3) -> Any {
        switch next() % (depth > 0 ? 10 : 8) {
        case 0: next() % 2 == 0
        case 1: Int(truncatingIfNeeded: next()) >> Int(next() % 64)
        case 2: next()
        case 3: Double(bitPattern: next())
        case 4: Float(bitPattern: UInt32(truncatingIfNeeded: next()))
        case 5: String(decoding: bytes(), as: UTF8.self)
        case 6: Date(timeIntervalSinceReferenceDate: Double(bitPattern: next()))
        case 7: next() % 2 == 0 ? bytes() : json()
        case 8: (0..<Int(next() % 4)).map { _ in object(depth: depth - 1) }
        default:
            Dictionary(
                (0..<Int(next() % 4)).map { _ in
                    (String(decoding: bytes(), as: UTF8.self), object(depth: depth - 1))
                }, uniquingKeysWith: { $1 })
        }
    }

    /// JSON with up to two random changes.
    private mutating func json() -> Data {
        var data = Data(#"{"height":[1,null],"screens":[1,null],"title":"w","width":"inf"}"#.utf8)
        for _ in 0..<(next() % 3) { mutate(&data) }
        return data
    }

    /// Changes, removes or inserts one byte.
    mutating func mutate(_ data: inout Data) {
        guard !data.isEmpty else { return }
        let index = Int(next() % UInt64(data.count))
        let byte = UInt8(truncatingIfNeeded: next())
        switch next() % 3 {
        case 0: data[index] = byte
        case 1: data.remove(at: index)
        default: data.insert(byte, at: index)
        }
    }
}
