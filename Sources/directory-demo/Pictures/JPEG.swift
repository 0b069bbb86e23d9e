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

    private(set) var width = 0
    private(set) var height = 0
    var components: [Component] = []
    private var quantizers = [[Float]](repeating: [], count: 4)
    private var dcTables = [HuffmanTable?](repeating: nil, count: 4)
    private var acTables = [HuffmanTable?](repeating: nil, count: 4)
    private var restartInterval = 0
    /// The width of a block of 8 by 8 pixels in the result: 8, or 1 for large pictures.
    private var blockSize: Int { max(width, height) > 1600 ? 1 : 8 }

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
                guard readScanHeader(body), readScan(bytes, from: end) else { return nil }
                return pixels
            default: break
            }
            position = end
        }
        return nil
    }

    private mutating func readFrame(_ body: [UInt8]) -> Bool {
        guard body.count >= 6, body[0] == 8 else { return false }
        height = Int(body[1]) << 8 | Int(body[2])
        width = Int(body[3]) << 8 | Int(body[4])
        let count = Int(body[5])
        // More than 2^26 pixels would take too long.
        guard [1, 3].contains(count), body.count >= 6 + 3 * count, width > 0, height > 0,
            width * height <= 1 << 26
        else { return false }
        components = (0..<count).map { number in
            let part = body[(6 + 3 * number)...]
            let sampling = part[part.startIndex + 1]
            // A single component is not interleaved: its unit is one block.
            return Component(
                id: part[part.startIndex], across: count == 1 ? 1 : Int(sampling >> 4),
                down: count == 1 ? 1 : Int(sampling & 15), table: Int(part[part.startIndex + 2]))
        }
        return components.allSatisfy {
            (1...4).contains($0.across) && (1...4).contains($0.down) && $0.table < 4
        }
    }

    private mutating func readQuantizers(_ body: [UInt8]) -> Bool {
        var rest = body[...]
        while let head = rest.popFirst() {
            let size = head >> 4 == 0 ? 1 : 2
            guard head & 15 < 4, rest.count >= 64 * size else { return false }
            let values = rest.prefix(64 * size)
            quantizers[Int(head & 15)] = (0..<64).map { number in
                let first = values.startIndex + number * size
                return size == 1
                    ? Float(values[first]) : Float(Int(values[first]) << 8 | Int(values[first + 1]))
            }
            rest = rest.dropFirst(64 * size)
        }
        return true
    }

    private mutating func readHuffmanTables(_ body: [UInt8]) -> Bool {
        var rest = body[...]
        while let head = rest.popFirst() {
            guard head & 15 < 4, rest.count >= 16 else { return false }
            let counts = rest.prefix(16).map(Int.init)
            rest = rest.dropFirst(16)
            let total = counts.reduce(0, +)
            guard rest.count >= total else { return false }
            let table = HuffmanTable(counts: counts, values: Array(rest.prefix(total)))
            if head >> 4 == 0 {
                dcTables[Int(head & 15)] = table
            } else {
                acTables[Int(head & 15)] = table
            }
            rest = rest.dropFirst(total)
        }
        return true
    }

    /// All components must be in the one scan.
    private mutating func readScanHeader(_ body: [UInt8]) -> Bool {
        guard let count = body.first, Int(count) == components.count,
            body.count >= 1 + 2 * components.count
        else { return false }
        for number in components.indices {
            let tables = body[2 + 2 * number]
            guard components[number].id == body[1 + 2 * number], tables >> 4 < 4, tables & 15 < 4
            else { return false }
            components[number].dcTable = Int(tables >> 4)
            components[number].acTable = Int(tables & 15)
        }
        return !components.isEmpty
    }

    private mutating func readScan(_ bytes: [UInt8], from start: Int) -> Bool {
        let across = components.map(\.across).max() ?? 1
        let down = components.map(\.down).max() ?? 1
        let columns = (width + 8 * across - 1) / (8 * across)
        let rows = (height + 8 * down - 1) / (8 * down)
        for number in components.indices {
            let component = components[number]
            components[number].stride = columns * component.across * blockSize
            components[number].samples = [UInt8](
                repeating: 128,
                count: components[number].stride * rows * component.down * blockSize)
        }
        var bits = BitReader(bytes, from: start)
        var predictions = [Int](repeating: 0, count: components.count)
        for unit in 0..<columns * rows {
            if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
                guard bits.skipRestartMarker() else { return false }
                predictions = predictions.map { _ in 0 }
            }
            for number in components.indices {
                let component = components[number]
                for block in 0..<component.across * component.down {
                    guard let samples = readBlock(component, &bits, &predictions[number]) else {
                        return false
                    }
                    let column = unit % columns * component.across + block % component.across
                    let row = unit / columns * component.down + block / component.across
                    store(samples, in: number, column, row)
                }
            }
        }
        return true
    }

    /// The samples of the next block; nil if its code is invalid.
    private func readBlock(
        _ component: Component, _ bits: inout BitReader, _ prediction: inout Int
    ) -> [UInt8]? {
        let quantizer = quantizers[component.table]
        guard quantizer.count == 64, let dc = dcTables[component.dcTable],
            let ac = acTables[component.acTable], let size = dc.next(&bits), size <= 15
        else { return nil }
        prediction += bits.signed(Int(size))
        guard abs(prediction) < 1 << 20 else { return nil }
        var values = [Float](repeating: 0, count: 64)
        values[0] = Float(prediction) * quantizer[0]
        var index = 1
        while index < 64 {
            guard let code = ac.next(&bits) else { return nil }
            let (zeros, size) = (Int(code >> 4), Int(code & 15))
            if size == 0, zeros < 15 { break }
            index += zeros
            guard index < 64 else { return nil }
            values[DCT.zigzag[index]] = Float(bits.signed(size)) * quantizer[index]
            index += 1
        }
        return blockSize == 1 ? [DCT.sample(values[0] / 8)] : DCT.inverse(values)
    }

    private mutating func store(_ samples: [UInt8], in number: Int, _ column: Int, _ row: Int) {
        let stride = components[number].stride
        let start = row * blockSize * stride + column * blockSize
        for line in 0..<blockSize {
            for offset in 0..<blockSize {
                components[number].samples[start + line * stride + offset] =
                    samples[line * blockSize + offset]
            }
        }
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
