import Foundation
import JSONCodec

/// Sets and dictionaries have no order, but their JSON has one, which older versions and other encoders choose anew in
/// each process.
extension ItemCoding {
    /// Whether two lines encode the same item, with sets and dictionaries in another order at most.
    func areSame(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left == right || changedMembers(from: left, to: right).isEmpty
    }

    /// The names of the members that differ in more than the order of sets and dictionaries.
    func changedMembers(from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> [String] {
        JSONMembers.changed(from: old, to: new).filter { name in
            !areSame(
                JSONMembers.value(of: name, in: old), JSONMembers.value(of: name, in: new),
                of: name, in: old)
        }
    }

    /// Whether two values of the member `name` of `line` are equal, with sets and dictionaries in another order at most.
    ///
    /// Values that the type does not write are compared byte by byte: nobody knows here what their order means.
    func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>
    ) -> Bool {
        // Most values differ in more than an order, and need not be decoded.
        guard left != right, let left, let right, JSONMembers.haveSameParts(left, right) else {
            return left == right
        }
        do {
            let items = try [left, right].map { value in
                try itemElement(on: JSONMembers.replacing(name, by: value, in: line)).item
            }
            let known = try JSONMembers.value(of: name, in: element(of: items[0]).line)
            guard let known, JSONMembers.haveSameParts(known, left) else { return false }
            let userInfo = options.encoder.map { $0.userInfo as [CodingUserInfoKey: Any] }
            var encoder = LineEncoder(userInfo: userInfo ?? [:])
            for item in items { try encoder.append(item) }
            let lines = encoder.lines
            guard options.keepsKeys else { return lines[0] == lines[1] }
            // The item may encode other members in an order of its own.
            return JSONMembers.value(of: name, in: lines[0])
                == JSONMembers.value(of: name, in: lines[1])
        } catch {
            return false
        }
    }

    /// `line` with the bytes that its members have in `old` if they differ only in the order of sets and dictionaries.
    func keepingOrder(of old: ArraySlice<UInt8>, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // The encoder of the library gives equal sets equal bytes.
        guard options.encoder != nil, old != line else { return line }
        var kept = line
        for name in JSONMembers.changed(from: old, to: line) {
            let (value, new) = (
                JSONMembers.value(of: name, in: old), JSONMembers.value(of: name, in: line)
            )
            if let value, areSame(value, new, of: name, in: line) {
                kept = JSONMembers.replacing(name, by: value, in: kept)
            }
        }
        return JSONMembers.changed(from: old, to: kept).isEmpty ? old : kept
    }
}

extension DirectoryOptions {
    /// Whether the encoder certainly gives a member the name that its type gives it; a class of the app can do anything.
    fileprivate var keepsKeys: Bool {
        guard let encoder else { return true }
        guard type(of: encoder) == type(of: JSONEncoder()) else { return false }
        if case .useDefaultKeys = encoder.keyEncodingStrategy { return true }
        return false
    }
}
