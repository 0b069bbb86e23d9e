import FileSystem
import Foundation

/// How items of one type name what they own on disk.
enum Ownership<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// Whether items own folders; items without a type may.
    static var ownsFolders: Bool {
        Item.self is any Container.Type || Item.self == UntypedItem.self
    }
    /// Whether items own files in the assets folder; items without a type may.
    static var ownsFiles: Bool { Item.self is any Asset.Type || Item.self == UntypedItem.self }

    static func folderName(of item: Item) -> String? { (item as? any Container)?.folderName }
    static func fileName(of item: Item) -> String? { (item as? any Asset)?.fileName }
}

/// The rules for names that items may own.
enum NameRules {
    /// In bytes: the longest name of a container's folder, which leaves room for the name of the lock
    /// file that an index with this stem would have.
    static let maximumFolderLength = FileName.maximumLength - "..lock".utf8.count

    /// Returns `text` as a file name.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName` if it is not a file name, or begins with a
    ///   dot: such names are reserved for the files of the collections themselves.
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
    ///   `.recovered`: a repair may set something aside in a folder with such a name.
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

    /// Whether `name` can be that of a folder into which things are set aside.
    static func isRecovered(_ name: FileName) -> Bool { name.folded.hasSuffix(".recovered") }

    /// `text` as a file name; nil if it is invalid or begins with a dot.
    static func visible(_ text: String) -> FileName? {
        FileName(text).flatMap { $0.isHidden ? nil : $0 }
    }
}
