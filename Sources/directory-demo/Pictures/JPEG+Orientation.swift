// How the camera was held.
extension JPEG {
    /// The orientation that a segment of Exif data says, from 1 to 8; nil if it says none.
    static func orientation(in body: [UInt8]) -> Int? {
        guard body.starts(with: [UInt8]("Exif\0\0".utf8)), body.count >= 14 else { return nil }
        let tiff = Array(body.dropFirst(6))
        let isLittle = tiff[0] == UInt8(ascii: "I")
        func number(at offset: Int, size: Int) -> Int? {
            guard offset >= 0, offset + size <= tiff.count else { return nil }
            let bytes = tiff[offset..<offset + size]
            return (isLittle ? bytes.reversed() : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let start = number(at: 4, size: 4), let count = number(at: start, size: 2) else {
            return nil
        }
        // An entry has 12 bytes: tag, type, count and value.
        let entries = (0..<count).map { start + 2 + 12 * $0 }
        let entry = entries.first { number(at: $0, size: 2) == 0x0112 }
        let value = entry.flatMap { number(at: $0 + 8, size: 2) }
        return value.flatMap { (1...8).contains($0) ? $0 : nil }
    }
}

extension Pixels {
    /// The pixels of a picture with this orientation of Exif, as it is to be looked at.
    func oriented(_ orientation: Int) -> Pixels {
        guard orientation > 1 else { return self }
        let (width, height) =
            orientation < 5 ? (self.width, self.height) : (self.height, self.width)
        let (right, bottom) = (self.width - 1, self.height - 1)
        var result = Pixels(width: width, height: height, bytes: [])
        result.bytes.reserveCapacity(bytes.count)
        for y in 0..<height {
            for x in 0..<width {
                let (column, row) =
                    switch orientation {
                    case 2: (right - x, y)
                    case 3: (right - x, bottom - y)
                    case 4: (x, bottom - y)
                    case 5: (y, x)
                    case 6: (y, bottom - x)
                    case 7: (right - y, bottom - x)
                    default: (right - y, x)
                    }
                let start = 3 * (row * self.width + column)
                result.bytes += bytes[start..<start + 3]
            }
        }
        return result
    }
}
