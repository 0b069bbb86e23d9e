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
        return JSONMembers.replacing(kept.values(\.old), in: line)
    }
}

extension ItemCoding {
    /// The names of the changes of `line` that change nothing but the order of sets and dictionaries.
    private func reorderedMembers(of changes: [JSONMembers.Change], in line: ArraySlice<UInt8>)
        -> Set<String>
    {
        // Most values differ in more than an order, and need not be decoded.
        let changes = changes.filter { change in
            guard let old = change.old, let new = change.new else { return false }
            return JSONMembers.haveSameParts(old, new)
        }
        if changes.isEmpty { return [] }
        let found = (try? equalMembers(of: changes, in: line)) ?? []
        if options.keepsKeys || changes.count == 1 || found.count == changes.count { return found }
        // One that is not equal hides the others.
        return changes.reduce(into: []) { $0.formUnion(reorderedMembers(of: [$1], in: line)) }
    }

    /// The names of the changes whose values are equal once they are decoded.
    ///
    /// All are decoded in one item, because each could be one of very many.
    private func equalMembers(of changes: [JSONMembers.Change], in line: ArraySlice<UInt8>) throws
        -> Set<String>
    {
        let names = Set(changes.map(\.name))
        let items = try [changes.values(\.old), changes.values(\.new)].map { values in
            try itemElement(on: JSONMembers.replacing(values, in: line)).item
        }
        let known = try JSONMembers.values(of: names, in: element(of: items[0]).line) ?? [:]
        let userInfo = options.encoder.map { $0.userInfo as [CodingUserInfoKey: Any] }
        var encoder = LineEncoder(userInfo: userInfo ?? [:])
        for item in items { try encoder.append(item) }
        let lines = encoder.lines
        let written = try lines.map { try JSONMembers.values(of: names, in: $0) ?? [:] }
        let equal = changes.filter { change in
            guard let known = known[change.name], let old = change.old,
                JSONMembers.haveSameParts(known.json[...], old)
            else { return false }
            // The item may encode other members in an order of its own.
            return options.keepsKeys
                ? written[0][change.name]?.json == written[1][change.name]?.json
                : lines[0] == lines[1]
        }
        return Set(equal.map(\.name))
    }
}

extension [JSONMembers.Change] {
    /// The values on one side of the changes, by name.
    fileprivate func values(
        _ side: (JSONMembers.Change) -> ArraySlice<UInt8>?
    ) -> [String: ArraySlice<UInt8>] {
        Dictionary(
            compactMap { change in side(change).map { (change.name, $0) } },
            uniquingKeysWith: { first, _ in first })
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
