import Foundation

extension JSONValueEncoder {
    /// Encodes `value` here, the parts of an ``Unordered`` one in one order.
    func encodeInOrder<Value: Encodable>(_ value: Value) throws {
        try writeInOrder(Value.self) { try value.encode(to: self) }
    }

    /// Lets `write` write the parts of a `Value`, and puts those of an ``Unordered`` one in order.
    func writeInOrder<Value>(_ type: Value.Type, _ write: () throws -> Void) throws {
        let start = output.count
        try write()
        // Looking up the conformance takes time, so a single part is not looked at.
        guard kind == .array ? count > 1 : keys.entries.count > 1,
            let type = Value.self as? any Unordered.Type
        else { return }
        if kind == .array {
            try sortElements(from: start, by: type.elementsOfPart)
        } else if start == 0 {
            sortMembers()
        }
    }

    private func sortElements(from start: Int, by length: Int) throws {
        var scanner = JSONScanner(output.elements, at: start)
        var elements: [Range<Int>] = []
        while scanner.take(",") {
            let start = scanner.position
            // The depth was checked when the element was encoded.
            try scanner.skipValue(depth: 0)
            elements.append(start..<scanner.position)
        }
        let parts = stride(from: 0, to: elements.count, by: length).map { first in
            let last = min(first + length, elements.count) - 1
            return elements[first].lowerBound..<elements[last].upperBound
        }
        let text = output.elements
        replaceOutput(from: start, by: parts.sorted { text[$0].compare(text[$1]) < 0 })
    }

    private func sortMembers() {
        // The positions of a longer text are not known; the text is refused later.
        guard output.count <= JSONInput.maximumLength else { return }
        let starts = keys.entries.map { Int($0.value) + 1 } + [output.count + 1]
        let members = keys.entries.indices.map { index in
            (
                index: index, name: keys.key(at: index, in: output.base),
                bytes: starts[index]..<starts[index + 1] - 1
            )
        }
        let text = output.elements
        let sorted = members.sorted { left, right in
            if left.name.utf8.elementsEqual(right.name.utf8) {
                return text[left.bytes].compare(text[right.bytes]) < 0
            }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        var end = 0
        let order = sorted.map { member in
            defer { end += member.bytes.count + 1 }
            return (index: member.index, distance: end + 1 - member.bytes.lowerBound)
        }
        replaceOutput(from: 0, by: sorted.map(\.bytes))
        keys.reorder(order)
    }

    /// Replaces the output from `start` on by parts of the output, each after a comma.
    private func replaceOutput(from start: Int, by parts: [Range<Int>]) {
        let sorted = ByteBuffer()
        for part in parts {
            sorted.append(UInt8(ascii: ","))
            sorted.append(output.elements[part])
        }
        #if DEBUG
            movedBytes += sorted.count
        #endif
        output.removeAll(from: start)
        output.append(sorted.elements)
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Less than 0 if these bytes precede `other`, 0 if they are equal.
    fileprivate func compare(_ other: Self) -> Int {
        let (left, right) = (
            UnsafeBufferPointer(rebasing: self), UnsafeBufferPointer(rebasing: other)
        )
        guard let one = left.baseAddress, let two = right.baseAddress else {
            return count - other.count
        }
        let order = memcmp(one, two, Swift.min(count, other.count))
        return order == 0 ? count - other.count : Int(order)
    }
}
