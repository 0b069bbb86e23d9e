import FileSystem
import Foundation

/// The names that items of one type give their folders and files.
enum Ownership<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// Whether items own folders; untyped items may.
    static var ownsFolders: Bool {
        Item.self is any Container.Type || Item.self == UntypedItem.self
    }
    /// Whether items own files in the assets folder; untyped items may.
    static var ownsFiles: Bool { Item.self is any Asset.Type || Item.self == UntypedItem.self }

    /// The name that `item` gives its folder; nil if items of its type own none.
    static func folder(of item: Item) -> OwnedName? {
        (item as? any Container).map { OwnedName(text: $0.folderName, isFolder: true) }
    }

    /// The name that `item` gives its file; nil if items of its type own none.
    static func file(of item: Item) -> OwnedName? {
        (item as? any Asset).map { OwnedName(text: $0.fileName, isFolder: false) }
    }
}

/// The name that an item gives its folder or its file.
struct OwnedName: Sendable {
    /// As the item has it.
    let text: String
    let isFolder: Bool

    /// Nil if the name is invalid: then the item owns nothing.
    var name: FileName? { isFolder ? NameRules.folder(text) : NameRules.visible(text) }
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
