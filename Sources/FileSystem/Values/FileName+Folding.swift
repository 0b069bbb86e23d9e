import Foundation

extension FileName {
    /// A text that is equal for two names if some volume takes them for the same name.
    ///
    /// These mappings make the same characters equal as full case folding does (section 3.13 of the Unicode
    /// standard): the first one `ẞ` and `ß`, the second one `ß` and `SS`. They turn a few marks into
    /// letters, so marks are put in their canonical order first. Swift's strings compare by canonical
    /// equivalence.
    package var folded: String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return string.lowercased() }
        return string.decomposedStringWithCanonicalMapping
            .lowercased().uppercased().lowercased()
    }
}
