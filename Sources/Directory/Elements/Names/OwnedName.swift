import FileSystem
import Foundation

/// The name that an item gives its folder or its file.
struct OwnedName: Sendable {
    /// As the item has it.
    let text: String
    let isFolder: Bool

    /// Whether both are the same bytes: normalisations of a string are equal in Swift, but two names on disk.
    func hasBytes(of other: OwnedName) -> Bool {
        var (text, other) = (text, other.text)
        return text.withUTF8 { text in
            other.withUTF8 { text.count == $0.count && text.elementsEqual($0) }
        }
    }

    /// Nil if the name is invalid: then the item owns nothing.
    var name: FileName? { isFolder ? NameRules.folder(text) : NameRules.visible(text) }
}

extension OwnedName? {
    /// Whether both are nil, or both have the same bytes.
    func isSame(as other: OwnedName?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasBytes(of: other)
    }
}

/// The rules for names that items may own.
enum NameRules {
    /// The longest name of a container's folder, in bytes; an index with this stem can still have a
    /// lock file.
    static let maximumFolderLength =
        FileName.maximumLength - ".\(FileRole.lock.rawValue)".utf8.count

    /// Returns `text` as a file name.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName` if it is not a file name, or begins with a
    ///   dot: such names are reserved for files of the library.
    @discardableResult
    static func check(_ text: String, in folder: @autoclosure () -> URL) throws -> FileName {
        if let fault = NameFault(of: text, maximum: FileName.maximumLength) {
            throw fault.error(.invalidName, text, in: folder())
        }
        return try FileName(validating: text)
    }

    /// Returns `text` as the name of a container's folder.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName` if it is not a visible file name, or ends in
    ///   `.recovered`: such names are reserved for the folders of repairs.
    @discardableResult
    static func checkFolder(_ text: String, in folder: @autoclosure () -> URL) throws -> FileName {
        let fault = NameFault(of: text, maximum: maximumFolderLength)
        let name = FileName(text)
        guard fault == nil, let name, !isRecovered(name) else {
            let fault = fault ?? .reserved(".recovered")
            throw fault.error(
                .invalidName, text, in: folder(), hint: ", or make one with safeFolderName()")
        }
        return name
    }

    /// `text` as the name of a container's folder; nil if it is invalid.
    static func folder(_ text: String) -> FileName? {
        guard text.utf8.count <= maximumFolderLength else { return nil }
        return visible(text).flatMap { isRecovered($0) ? nil : $0 }
    }

    /// Whether a repair can set files aside into a folder with `name`.
    static func isRecovered(_ name: FileName) -> Bool { name.folded.hasSuffix(".recovered") }

    /// `text` as a file name; nil if it is invalid or begins with a dot.
    static func visible(_ text: String) -> FileName? {
        FileName(text).flatMap { $0.isHidden ? nil : $0 }
    }
}
