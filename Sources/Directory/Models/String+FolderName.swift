import FileSystem
import Foundation

extension String {
    /// A safe folder name that is as close to this text as possible.
    ///
    ///     "AC/DC".safeFolderName()        // "AC-DC"
    ///     "  .. ".safeFolderName()        // "Untitled"
    ///     "Trip".safeFolderName(beside: ["trip", "Trip 2"])       // "Trip 3"
    ///
    /// The name is valid as a ``Container/folderName``, and for folders on macOS, Linux and Windows:
    /// - It is in NFC, visible, and at most 249 bytes of UTF-8. It is cut only between two characters as people see
    ///   them, so an emoji stays whole.
    /// - Slashes, and the other characters that Windows refuses, become hyphens. Line breaks and other
    ///   control characters become spaces. Invisible format characters are left out.
    /// - It has no dots and spaces at its ends. `CON` and the other names that Windows reserves for
    ///   devices get an underscore.
    /// - It does not end in `.json` or `.recovered`, which have a meaning in the folder of a
    ///   collection.
    ///
    /// A safe name stays as it is.
    ///
    /// - Parameters:
    ///   - names: Names that the result must differ from, also without case and Unicode normalisation: of `Trip`,
    ///     `Trip 2`, `Trip 3` and so on, it is the first that is free.
    ///   - fallback: Replaces an empty name, such as "Untitled" in the language of the user.
    /// - Returns: The name.
    public func safeFolderName(
        beside names: some Sequence<String> = [String](), fallback: String = "Untitled"
    ) -> String {
        let taken = Set(names.compactMap { FileName($0)?.folded })
        return safeFolderName(fallback: fallback) { taken.contains($0.folded) }
    }

    /// The first safe name that is not taken: this text, with a space and a number if needed.
    func safeFolderName(fallback: String, isTaken: (FileName) -> Bool) -> String {
        let base = [self, fallback].lazy.map(\.safe).first { !$0.isEmpty } ?? "Untitled"
        var number = 1
        while true {
            let suffix = number == 1 ? "" : " \(number)"
            let start = base.cut(to: NameRules.maximumFolderLength - suffix.utf8.count)
            let name = (start.isEmpty ? "Untitled" : start) + suffix
            // Safe text is a valid file name.
            guard let file = FileName(name), isTaken(file) else { return name }
            number += 1
        }
    }
}

extension String {
    /// This text as a safe folder name; empty if no visible character stays.
    fileprivate var safe: String {
        var name = self
        while true {
            // One rule can make another one necessary: after a cut, a name can end in a dot.
            let next = name.safer
            if next.utf8.elementsEqual(name.utf8) { break }
            name = next
        }
        return name.unicodeScalars.contains(where: \.isVisible) ? name : ""
    }

    /// This text after one application of each rule.
    private var safer: String {
        var scalars = UnicodeScalarView()
        scalars.append(
            contentsOf: precomposedStringWithCanonicalMapping.unicodeScalars.compactMap(\.safe))
        var name = String(scalars).trimmed
        let stem = name.prefix { $0 != "." }
        if Self.devices.contains(String(stem).trimmed.uppercased()) {
            name = stem + "_" + name[stem.endIndex...]
        }
        name = name.cut(to: NameRules.maximumFolderLength)
        for suffix in ["json", "recovered"] where name.lowercased().utf8.hasSuffix(".\(suffix)") {
            let end = name.utf8.suffix(suffix.utf8.count)
            name = "\(Substring(name.utf8.dropLast(end.count + 1)))-\(Substring(end))"
        }
        return name
    }

    /// This text without dots and white space at its ends.
    private var trimmed: String {
        // A dot with an accent is one character, but file systems see the dot.
        var rest = self[...]
        while let first = rest.first, first.isWhitespace || first.unicodeScalars.first == "." {
            rest.removeFirst()
        }
        while let last = rest.last, last.isWhitespace || last.unicodeScalars.last == "." {
            rest.removeLast()
        }
        return String(rest)
    }

    /// The longest beginning with at most `count` bytes that ends between two characters, without dots and white space
    /// at its end.
    fileprivate func cut(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var (end, length) = (startIndex, 0)
        while end < endIndex {
            length += self[end].utf8.count
            if length > count { break }
            formIndex(after: &end)
        }
        return String(self[..<end]).trimmed
    }

    /// The names that Windows reserves for devices, also with an extension ("Naming Files, Paths,
    /// and Namespaces", Microsoft).
    private static let devices: Set<String> = {
        let ports = ["COM", "LPT"].flatMap { port in "0123456789¹²³".map { "\(port)\($0)" } }
        return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + ports)
    }()
}

extension String.UTF8View {
    fileprivate func hasSuffix(_ suffix: String) -> Bool {
        self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}

extension Unicode.Scalar {
    /// The replacement of this scalar in a safe name; nil if it is left out.
    fileprivate var safe: Unicode.Scalar? {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: " "
        // Volumes can refuse these.
        case .unassigned, .surrogate: "-"
        case .format where properties.isDefaultIgnorableCodePoint: isJoining ? self : nil
        default: #"/\:*?"<>|"#.unicodeScalars.contains(self) ? "-" : self
        }
    }

    /// Whether this invisible scalar changes its neighbours, as in emoji, in flags of regions and
    /// in Persian.
    private var isJoining: Bool {
        [0x200C, 0x200D].contains(value) || (0xE0020...0xE007F).contains(value)
    }

    /// Whether this scalar is neither white space nor invisible.
    fileprivate var isVisible: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }
}
