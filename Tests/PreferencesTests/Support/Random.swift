import Foundation

/// Random numbers that depend on a seed (SplitMix64), and random values for fuzz tests.
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// The seed of this run: the environment variable `SEED`, or a new one.
    static func newSeed() -> UInt64 {
        let given = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
        return given ?? .random(in: 0 ... .max)
    }

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
