import Foundation

extension FileName {
    /// Text that is equal for two names if some volume takes them for the same name.
    ///
    /// These mappings join the same characters as full case folding (section 3.13 of the Unicode standard): the
    /// first one makes `ẞ` and `ß` equal, the second one `ß` and `SS`. A few marks become letters,
    /// so they get their canonical order before. Swift's strings compare by canonical equivalence.
    package var folded: String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return string.lowercased() }
        return string.decomposedStringWithCanonicalMapping
            .lowercased().uppercased().lowercased()
    }
}
