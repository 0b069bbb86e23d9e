/// The members of two objects, compared.
package enum JSONMembers {
    /// The names of the members that only one of two lines has, or that have different values; in the
    /// order of `new`, then those that only `old` has.
    ///
    /// Lines that are not objects have no members.
    package static func changed(from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) -> [String]
    {
        old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                // The lines of an index are valid, so nothing is thrown.
                let olds = (try? JSONValue(bytes: old).members()) ?? []
                let news = (try? JSONValue(bytes: new).members()) ?? []
                let changed = news.filter { member in
                    !olds.contains { $0.key == member.key && $0.value == member.value }
                }
                let removed = olds.filter { member in
                    !news.contains { $0.key == member.key }
                }
                return (changed + removed).compactMap(\.key)
            }
        }
    }
}
