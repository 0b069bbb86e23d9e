import FileSystem
import Foundation

/// The declared name of a folder, which may be invalid.
struct FolderName: Hashable, Sendable {
    /// The declared name.
    let text: String

    /// The reason why a folder must not have this name; nil if the name is valid.
    let problem: Problem?

    enum Problem: Hashable, Sendable {
        case invalid
        case reserved
    }

    init(_ text: String, in parent: Location) {
        self.text = text
        let isReserved = parent.names.isEmpty && parent.place.reserves(text)
        problem = FileName(text) == nil ? .invalid : isReserved ? .reserved : nil
    }

    /// The name on disk, escaped if it is invalid, so that its path does not leave the folder.
    var component: String {
        guard problem != nil else { return text }
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return String("%\(escaped)".prefix(255))
    }
}
