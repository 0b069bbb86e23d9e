/// The names for an exported file: its own, or with a number if that is taken.
struct ExportName {
    private let stem: Substring
    /// The extension with its dot.
    private let suffix: Substring

    /// The longest name that file systems allow, in bytes (NAME_MAX).
    private static let maximumLength = 255
    /// The longest suffix that counts as an extension, in bytes.
    private static let maximumSuffixLength = 32

    /// - Parameter name: The name; it may be longer than file systems allow.
    init(_ name: String) {
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        let suffix = name[dot...]
        let isExtension = suffix.utf8.count <= Self.maximumSuffixLength
        stem = isExtension ? name[..<dot] : name[...]
        self.suffix = isExtension ? suffix : ""
    }

    /// The name for `number`: `moon.png` for 1, `moon 2.png` for 2; a long stem is cut.
    func numbered(_ number: Int) -> String {
        let end = (number == 1 ? "" : " \(number)") + suffix
        var stem = stem
        while stem.utf8.count + end.utf8.count > Self.maximumLength { stem.removeLast() }
        return stem + end
    }
}
