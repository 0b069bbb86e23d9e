import Foundation

/// A picture as pixels: three bytes each, for red, green and blue.
struct Pixels {
    let width: Int
    let height: Int
    var bytes: [UInt8]
}

/// Reads JPEG files (ITU-T T.81): the sequential ones with 8 bits, which most cameras write.
///
/// Kitty's protocol takes no JPEG. Large pictures are read at an eighth of their size.
struct JPEG {
    /// One of the channels: brightness, or a difference of colours.
    struct Component {
        let id: UInt8
        /// How many blocks it has in a unit of the scan, across and down.
        let across: Int, down: Int
        let table: Int
        var dcTable = 0
        var acTable = 0
        /// The samples, in whole units.
        var samples: [UInt8] = []
        var stride = 0
    }

    var width = 0
    var height = 0
    var components: [Component] = []
    var quantizers = [[Float]](repeating: [], count: 4)
    var dcTables = [HuffmanTable?](repeating: nil, count: 4)
    var acTables = [HuffmanTable?](repeating: nil, count: 4)
    var restartInterval = 0
    /// As Exif has it: 1 if the first row is the top, and the first column on the left.
    var orientation = 1
    /// The width of a block of 8 by 8 pixels in the result: 8, or 1 for large pictures.
    var blockSize: Int { max(width, height) > 1600 ? 1 : 8 }

    /// The pixels of the file; nil if it is damaged, or of another kind.
    static func decode(_ data: Data) -> Pixels? {
        var jpeg = JPEG()
        return jpeg.read(Array(data))
    }

    private mutating func read(_ bytes: [UInt8]) -> Pixels? {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let end = position + 2 + length
            guard length >= 2, end <= bytes.count else { return nil }
            let body = Array(bytes[position + 4..<end])
            switch marker {
            case 0xC0, 0xC1: guard readFrame(body) else { return nil }
            // Progressive, lossless, hierarchical, or with arithmetic coding.
            case 0xC2, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return nil
            case 0xC4: guard readHuffmanTables(body) else { return nil }
            case 0xDB: guard readQuantizers(body) else { return nil }
            case 0xDD where body.count >= 2: restartInterval = Int(body[0]) << 8 | Int(body[1])
            case 0xDA:
                // No picture has so many pixels a byte: a few damaged bytes would cost much memory.
                guard width * height <= 2000 * bytes.count else { return nil }
                guard readScanHeader(body), readScan(bytes, from: end) else { return nil }
                return pixels.oriented(orientation)
            case 0xE1: orientation = Self.orientation(in: body) ?? orientation
            default: break
            }
            position = end
        }
        return nil
    }

    /// The components together, as red, green and blue (JFIF).
    private var pixels: Pixels {
        let (width, height) = (
            (width * blockSize + 7) / 8, (height * blockSize + 7) / 8
        )
        let across = components.map(\.across).max() ?? 1
        let down = components.map(\.down).max() ?? 1
        var pixels = Pixels(width: width, height: height, bytes: [])
        pixels.bytes.reserveCapacity(3 * width * height)
        for row in 0..<height {
            for column in 0..<width {
                let values = components.map { component in
                    let line = row * component.down / down
                    return Float(
                        component.samples[
                            line * component.stride + column * component.across / across])
                }
                let (y, blue, red) =
                    values.count == 3
                    ? (values[0], values[1] - 128, values[2] - 128) : (values[0], 0, 0)
                for channel in [
                    y + 1.402 * red, y - 0.344136 * blue - 0.714136 * red, y + 1.772 * blue,
                ] {
                    pixels.bytes.append(UInt8(max(0, min(255, channel.rounded()))))
                }
            }
        }
        return pixels
    }
}
