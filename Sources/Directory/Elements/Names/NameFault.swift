import Foundation

/// The first fault of a text as the name of a file or folder.
struct NameFault {
    /// The fault, as a predicate: "has a slash".
    let predicate: String
    /// The demand on the name, after "a name": "without a slash".
    let demand: String

    init(_ predicate: String, _ demand: String) {
        (self.predicate, self.demand) = (predicate, demand)
    }

    /// The fault of `text` as a visible name of at most `maximum` bytes; nil if it has none.
    init?(of text: String, maximum: Int) {
        let count = text.utf8.count
        if text.isEmpty {
            self.init("is empty", "of at least one character")
        } else if count > maximum {
            self.init("has \(count) bytes, and \(maximum) are allowed", "that is shorter")
        } else if text.utf8.contains(UInt8(ascii: "/")) {
            self.init("has a slash", "without a slash")
        } else if text.utf8.contains(0) {
            self.init("has a NUL character", "without a NUL character")
        } else if text.utf8.first == UInt8(ascii: ".") {
            self.init("begins with a dot", "that does not begin with a dot")
        } else {
            return nil
        }
    }

    /// The fault of a name with an ending that is reserved for folders into which files are set
    /// aside.
    static func reserved(_ end: String) -> NameFault {
        NameFault("ends in \(end)", "that does not end in \(end)")
    }
}

extension NameFault {
    /// The error of `text` as a name in `folder`.
    func error(
        _ code: DirectoryError.Code, _ text: String, in folder: URL, hint: String = ""
    ) -> DirectoryError {
        let visible = text.replacing("\0", with: "\u{2400}")
        let shown = text.utf8.count > 80 ? "\(visible.prefix(20))…" : visible
        let demand = "Choose a name \(demand)"
        return DirectoryError(
            code, "use", folder, "the name \"\(shown)\" \(predicate)",
            remedy: "\(demand)\(hint).",
            people: .init(
                operation: "use the name", name: shown, reason: "it \(predicate)",
                remedy: "\(demand)."))
    }
}
