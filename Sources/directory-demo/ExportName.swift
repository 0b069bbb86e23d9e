/// The names that an exported file can get: its own, and with a number while that is taken.
struct ExportName {
    private let stem: Substring
    /// The extension with its dot.
    private let suffix: Substring

    /// In bytes: the most that file systems allow (NAME_MAX).
    private static let maximumLength = 255
    /// In bytes: what is longer is no extension.
    private static let maximumSuffix = 32

    /// - Parameter name: A name, perhaps a longer one than a file can have.
    init(_ name: String) {
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        let suffix = name[dot...]
        let isExtension = suffix.utf8.count <= Self.maximumSuffix
        stem = isExtension ? name[..<dot] : name[...]
        self.suffix = isExtension ? suffix : ""
    }

    /// `moon.png` for 1, `moon 2.png` for 2; a long stem loses its last characters to the number.
    func numbered(_ number: Int) -> String {
        let end = (number == 1 ? "" : " \(number)") + suffix
        var stem = stem
        while stem.utf8.count + end.utf8.count > Self.maximumLength { stem.removeLast() }
        return stem + end
    }
}
