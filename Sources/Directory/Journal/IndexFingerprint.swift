/// The length and the CRC-32 of an index, which identify its bytes, without the mark of a journal.
struct IndexFingerprint: Hashable, Sendable {
    var length = 0
    var checksum: UInt32 = 0

    init(length: Int, checksum: UInt32) {
        self.length = length
        self.checksum = checksum
    }

    init(of index: [UInt8]) {
        let isMarked = JournalMark.isIn(index)
        let beginning = isMarked ? JournalMark.unmarked : []
        let rest = index[(isMarked ? JournalMark.marked.count : 0)...]
        var checksum = CRC32()
        beginning.withUnsafeBytes { checksum.update($0) }
        rest.withUnsafeBytes { checksum.update($0) }
        self.init(length: beginning.count + rest.count, checksum: checksum.checksum)
    }

    /// The length in decimal and the checksum in hexadecimal, with a space between.
    var text: String { "\(length) \(checksum.hexadecimal)" }

    /// Parses the two words of ``text``; nil if one is invalid.
    init?(_ length: ArraySlice<UInt8>, _ checksum: ArraySlice<UInt8>) {
        guard let length = Int(ascii: length), let checksum = UInt32(hexadecimal: checksum) else {
            return nil
        }
        self.init(length: length, checksum: checksum)
    }
}
