/// The pieces of a write that did not reach the disk, and what is in their place.
///
/// Pieces begin and end at multiples of 512 bytes or 4 KiB of the file, like the sectors of a drive
/// and the pages of a cache.
struct Tear: Hashable, Sendable {
    enum Filler: CaseIterable, Sendable {
        /// The bytes before the write; the file ends after the last piece that reached the disk.
        case old
        case zeros
        /// Bytes of something else, which depend on their offset alone.
        case garbage
    }

    var pieceSize: Int
    var filler: Filler
    /// Whether each piece of the write reached the disk.
    var isThere: [Bool]

    /// The numbers of the pieces that overlap `range`.
    private static func pieces(of range: Range<Int>, _ size: Int) -> Range<Int> {
        range.lowerBound / size..<(range.upperBound + size - 1) / size
    }

    /// Replaces the missing pieces in `range` of `bytes`.
    func apply(to bytes: inout [UInt8], _ range: Range<Int>, over old: [UInt8]) {
        let pieces = Self.pieces(of: range, pieceSize)
        var end = old.count
        for (piece, isThere) in zip(pieces, isThere) {
            let part = (piece * pieceSize..<(piece + 1) * pieceSize).clamped(to: range)
            if isThere || filler != .old { end = max(end, part.upperBound) }
            guard !isThere else { continue }
            for index in part {
                switch filler {
                case .old: bytes[index] = index < old.count ? old[index] : 0
                case .zeros: bytes[index] = 0
                case .garbage:
                    bytes[index] = UInt8(truncatingIfNeeded: (index &* 167 &+ 13) ^ index >> 3)
                }
            }
        }
        bytes.removeLast(bytes.count - end)
    }

    /// The ways to tear a write to `range`: every prefix, all but each piece, each piece alone; a
    /// random `limit` of them if there are more.
    static func all(
        of range: Range<Int>, limit: Int, using random: inout some RandomNumberGenerator
    ) -> [Tear] {
        var tears: Set<[Bool]> = []
        var found: [Tear] = []
        for size in [512, 4096] {
            let count = pieces(of: range, size).count
            if size == 4096, count == pieces(of: range, 512).count { continue }
            tears.removeAll()
            let none = [Bool](repeating: false, count: count)
            for piece in 0..<count {
                var (alone, missing) = (none, none.map { !$0 })
                alone[piece] = true
                missing[piece] = false
                let prefix = (0..<count).map { $0 < piece }
                for isThere in [prefix, missing, alone] where isThere.contains(false) {
                    guard tears.insert(isThere).inserted else { continue }
                    for filler in Filler.allCases where isThere.contains(true) || filler != .old {
                        found.append(Tear(pieceSize: size, filler: filler, isThere: isThere))
                    }
                }
            }
        }
        guard found.count > limit else { return found }
        return Array(found.shuffled(using: &random).prefix(limit))
    }
}
