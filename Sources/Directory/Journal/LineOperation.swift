/// A change of one line of an index.
///
/// A position counts the lines that the earlier operations have left.
enum LineOperation: Hashable, Sendable {
    /// Inserts a line before the one at the position, or at the end.
    case insert(ArraySlice<UInt8>, at: Int)
    /// Replaces the line at the position.
    case replace(ArraySlice<UInt8>, at: Int)
    /// Removes the line at the position, which must have this CRC-32.
    case remove(at: Int, checksum: UInt32)
}

extension LineOperation {
    /// About how many bytes the operation takes in a journal.
    var size: Int {
        switch self {
        case .insert(let line, _), .replace(let line, _): line.count + 10
        case .remove: 20
        }
    }

    /// The line that it adds; nil if it removes one.
    var line: ArraySlice<UInt8>? {
        switch self {
        case .insert(let line, _), .replace(let line, _): line
        case .remove: nil
        }
    }

    /// Adds the operation to a journal record, as a line with its newline.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .insert(let line, let position):
            Self.append("+", position, to: &bytes)
            bytes += line
        case .replace(let line, let position):
            Self.append("=", position, to: &bytes)
            bytes += line
        case .remove(let position, let checksum):
            Self.append("-", position, to: &bytes)
            bytes += checksum.hexadecimal.utf8
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func append(_ sign: Unicode.Scalar, _ position: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: sign))
        bytes.append(UInt8(ascii: " "))
        bytes.append(decimal: position)
        bytes.append(UInt8(ascii: " "))
    }

    /// Parses a line of a journal record, without its newline; nil if it is invalid.
    init?(_ line: ArraySlice<UInt8>) {
        var words = line
        guard let sign = words.removeFirstWord(), sign.count == 1,
            let position = words.removeFirstWord().flatMap({ Int(ascii: $0) })
        else { return nil }
        switch sign.first {
        case UInt8(ascii: "+"): self = .insert(words, at: position)
        case UInt8(ascii: "="): self = .replace(words, at: position)
        case UInt8(ascii: "-"):
            guard let checksum = UInt32(hexadecimal: words) else { return nil }
            self = .remove(at: position, checksum: checksum)
        default: return nil
        }
    }
}
