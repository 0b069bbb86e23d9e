import Foundation

/// Random numbers that a seed repeats: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
///
/// All tests of a run have the same seed, which is a new one in each run and is printed, so that the run can
/// be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
    private static let variable = "DIRECTORY_TEST_SEED"
    private static let seedOfTheRun: UInt64 = {
        let text = ProcessInfo.processInfo.environment[variable]
        let given = text.flatMap { UInt64($0) }
        if let text, given == nil { fatalError("\(variable) is “\(text)”, but must be a number") }
        let seed = given ?? .random(in: .min ... .max)
        print("\(variable)=\(seed)")
        return seed
    }()

    /// The number that decides all random numbers.
    public let seed: UInt64
    private var state: UInt64

    /// The environment variable that repeats a run.
    public var description: String { "\(Self.variable)=\(seed)" }

    /// Creates a generator with the seed of the run.
    public init() { self.init(seed: Self.seedOfTheRun) }

    /// Creates a generator with the seed of the run, whose numbers are others for each `name`.
    public init(named name: String) {
        self.init()
        // FNV-1a: the hash of a string in Swift differs from run to run.
        for byte in name.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Creates a generator whose numbers depend on `seed` alone.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
