package import FileSystem

/// The name of a file in the folder of a device: the number of its last segment, its content, and a part of its hash.
package struct SegmentName: Hashable, Sendable {
    package enum Content: String, Sendable {
        /// One or more segments that follow each other.
        case changes = "d"
        /// The state of the device after the segment with the number.
        case state = "s"
    }

    package var number: Int
    package var content: Content
    /// The first 32 digits of the SHA-256 of the file.
    package var hash: String

    static let digitCount = 32
    private static let numberLength = 12
    private static let suffix = ".jsonl"

    package init(number: Int, content: Content, of bytes: some Collection<UInt8>) {
        self.number = number
        self.content = content
        hash = String(SHA256.hash(bytes).description.prefix(Self.digitCount))
    }

    /// The name in the name of a file; nil if it has none.
    ///
    /// An engine may have added something before the extension, or behind it.
    package init?(_ name: FileName) {
        let parts = name.string.prefix(Self.length).split(
            separator: "-", omittingEmptySubsequences: false)
        guard name.string.contains(Self.suffix), parts.count == 3,
            parts[0].utf8.count == Self.numberLength,
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[0]),
            let content = Content(rawValue: String(parts[1])),
            parts[2].utf8.count == Self.digitCount,
            parts[2].utf8.allSatisfy({ $0.hexadecimalValue != nil })
        else { return nil }
        (self.number, self.content, hash) = (number, content, String(parts[2]))
    }

    private static var length: Int { numberLength + digitCount + 3 }

    /// The name of the file.
    package var text: String {
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, Self.numberLength - digits.count))
        return "\(zeros)\(digits)-\(content.rawValue)-\(hash)\(Self.suffix)"
    }
}
