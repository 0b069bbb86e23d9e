// What comes before the scan. Each method returns false if its segment is damaged or unknown.
extension JPEG {
    mutating func readFrame(_ body: [UInt8]) -> Bool {
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

    mutating func readQuantizers(_ body: [UInt8]) -> Bool {
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

    mutating func readHuffmanTables(_ body: [UInt8]) -> Bool {
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
    mutating func readScanHeader(_ body: [UInt8]) -> Bool {
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
}
