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
        let changes = JSONMembers.changes(from: old, to: new)
        let reordered = reorderedMembers(of: changes, in: old)
        return changes.map(\.name).filter { !reordered.contains($0) }
    }

    /// Whether two values of the member `name` of `line` are equal, with sets and dictionaries in another order at most.
    ///
    /// Values that the type does not write are compared byte by byte: nobody knows here what their order means.
    func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>
    ) -> Bool {
        let change = JSONMembers.Change(name, from: left, to: right)
        return left == right || !reorderedMembers(of: [change], in: line).isEmpty
    }

    /// `line` with the bytes that its members have in `old` if they differ only in the order of sets and dictionaries.
    func keepingOrder(of old: ArraySlice<UInt8>, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // The encoder of the library gives equal sets equal bytes.
        guard options.encoder != nil, old != line else { return line }
        let changes = JSONMembers.changes(from: old, to: line)
        let reordered = reorderedMembers(of: changes, in: line)
        if reordered.count == changes.count { return old }
        if reordered.isEmpty { return line }
        let kept = changes.filter { reordered.contains($0.name) }
        return JSONMembers.replacing(kept[...].values(\.old), in: line)
    }
}

extension ItemCoding {
    /// The names of the changes of `line` that change nothing but the order of sets and dictionaries.
    private func reorderedMembers(of changes: [JSONMembers.Change], in line: ArraySlice<UInt8>)
        -> Set<String>
    {
        // Most values differ in more than an order, and need not be decoded.
        let candidates = changes.filter { change in
            guard let old = change.old, let new = change.new else { return false }
            return JSONMembers.haveSameParts(old, new)
        }
        // Each try decodes the item, which can have very many members.
        var tries = 64
        let found = equalChanges(candidates[...], in: line, &tries)
        if found.isEmpty { return [] }
        // The order of one member can mean something for another one.
        guard found.count == candidates.count || areEqual(found[...], in: line) else { return [] }
        return Set(found.map(\.name))
    }

    /// The `changes` of `line` that change nothing: all of them, or those of each half; none if there are no more tries.
    private func equalChanges(
        _ changes: ArraySlice<JSONMembers.Change>, in line: ArraySlice<UInt8>, _ tries: inout Int
    ) -> [JSONMembers.Change] {
        if changes.isEmpty || tries == 0 { return [] }
        tries -= 1
        if areEqual(changes, in: line) { return Array(changes) }
        if changes.count == 1 { return [] }
        let middle = changes.startIndex + changes.count / 2
        return equalChanges(changes[..<middle], in: line, &tries)
            + equalChanges(changes[middle...], in: line, &tries)
    }

    /// Whether the item with the values before `changes` is the same as that with the values after them.
    private func areEqual(
        _ changes: ArraySlice<JSONMembers.Change>, in line: ArraySlice<UInt8>
    ) -> Bool {
        do {
            let items = try [changes.values(\.old), changes.values(\.new)].map { values in
                try itemElement(on: JSONMembers.replacing(values, in: line)).item
            }
            let known = try JSONMembers.values(
                of: Set(changes.map(\.name)), in: element(of: items[0]).line)
            let areKnown = changes.allSatisfy { change in
                guard let known = known?[change.name], let old = change.old else { return false }
                return JSONMembers.haveSameParts(known.json[...], old)
            }
            return areKnown && haveSameEncoding(items[0], items[1])
        } catch {
            return false
        }
    }

    /// Whether the encoder of the library, which gives equal sets equal bytes, gives both items the same bytes.
    private func haveSameEncoding(_ one: Item, _ other: Item) -> Bool {
        let userInfo = options.encoder.map { $0.userInfo as [CodingUserInfoKey: Any] }
        var encoder = LineEncoder(userInfo: userInfo ?? [:])
        do {
            for item in [one, other] { try encoder.append(item) }
            let lines = encoder.lines
            return lines[0] == lines[1]
        } catch {
            return false
        }
    }

    /// Whether `line` encodes `item`.
    func encodes(_ item: Item, _ line: ArraySlice<UInt8>) -> Bool {
        (try? itemElement(on: line).item).map { haveSameEncoding($0, item) } ?? false
    }
}

extension ArraySlice<JSONMembers.Change> {
    /// The values on one side of the changes, by name.
    fileprivate func values(
        _ side: (JSONMembers.Change) -> ArraySlice<UInt8>?
    ) -> [String: ArraySlice<UInt8>] {
        Dictionary(
            compactMap { change in side(change).map { (change.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
