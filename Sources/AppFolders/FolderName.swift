import FileSystem
import Foundation

/// One folder's name: a valid file name, or one that is known not to be.
struct FolderName: Hashable, Sendable {
    /// The name as it was declared.
    let text: String

    /// Why no folder may have this name, or nil if one may.
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

    /// The name on disk; an invalid name is escaped, so that no path ever leaves its folder.
    var component: String {
        guard problem != nil else { return text }
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return String("%\(escaped)".prefix(255))
    }
}
