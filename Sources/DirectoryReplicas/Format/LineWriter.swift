import FileSystem

/// Writes JSON objects, one in each line.
struct LineWriter {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    /// Writes an object that is a line.
    mutating func line(_ body: (inout Self) -> Void) {
        object(body)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Writes an object as a value.
    mutating func object(_ body: (inout Self) -> Void) { list("{", "}", body) }

    /// Writes an array as a value.
    mutating func array(_ body: (inout Self) -> Void) { list("[", "]", body) }

    private mutating func list(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout Self) -> Void
    ) {
        let wasFirst = isFirst
        bytes.append(UInt8(ascii: open))
        isFirst = true
        body(&self)
        bytes.append(UInt8(ascii: close))
        isFirst = wasFirst
    }

    /// Writes the name of a member, whose value follows.
    mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        quote(value)
    }

    mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        bytes += String(value).utf8
    }

    mutating func member(_ name: String, json value: some Sequence<UInt8>) {
        self.name(name)
        bytes += value
    }

    mutating func member(_ name: String, _ vector: VersionVector) {
        self.name(name)
        object { writer in
            for (device, number) in vector.numbers.sorted(by: { $0.key < $1.key }) {
                writer.member(device.description, number)
            }
        }
    }

    mutating func element(_ value: String) {
        separate()
        quote(value)
    }

    mutating func element(_ value: Int) {
        separate()
        bytes += String(value).utf8
    }

    mutating func element(json value: some Sequence<UInt8>) {
        separate()
        bytes += value
    }

    mutating func element(array body: (inout Self) -> Void) {
        separate()
        array(body)
    }

    private mutating func quote(_ text: String) { bytes += text.quotedAsJSON }
}

extension String {
    /// This text as a JSON string.
    var quotedAsJSON: [UInt8] {
        var bytes = [UInt8(ascii: "\"")]
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: bytes += Array("\\u".utf8) + UInt64(byte).hexadecimal(count: 4).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return bytes
    }
}
