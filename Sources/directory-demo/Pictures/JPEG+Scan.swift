extension JPEG {
    /// Reads the samples of all components; false if a code is invalid or missing.
    mutating func readScan(_ bytes: [UInt8], from start: Int) -> Bool {
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
                    guard let samples = readBlock(component, &bits, &predictions[number]),
                        !bits.isPastEnd
                    else { return false }
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
}
