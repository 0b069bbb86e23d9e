public import Foundation

/// Files that the user made, or that nobody can make again.
///
/// The user may see the folder, so files that only the app needs do not belong in it. It is backed
/// up and never purged.
public struct Documents: WritablePlace {
    /// The location of `Documents` in its root.
    public let location: Location

    /// Files that other apps asked this app to open.
    public var Inbox: Inbox { .init(location: Location(root: location.root, place: .inbox)) }
}

extension Documents {
    /// Files that other apps asked this app to open, such as attachments of a mail.
    ///
    /// The system puts files into the folder. The app can read and delete them, but not write in
    /// the folder: to edit a file, move it elsewhere first. So this place is not a
    /// ``WritablePlace``. It is backed up and never purged.
    public struct Inbox: Place {
        /// The location of `Documents/Inbox` in its root.
        public let location: Location
    }
}

extension Documents.Inbox {
    /// The files in the folder, in the order of their names.
    ///
    /// - Returns: The URLs of all files; empty if the folder does not exist.
    /// - Throws: ``AppFolderError``; its code is `system` if the folder cannot be read.
    public func files() throws -> [URL] {
        do {
            return try FileManager.default
                .contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw AppFolderError(refused: "list", at: url, error)
        }
    }

    /// Deletes one of the files.
    ///
    /// If it is a symbolic link, the link is deleted, not its target.
    ///
    /// - Parameter fileName: The name of the file.
    /// - Throws: ``AppFolderError``; its code is `invalidName` if `fileName` is not a valid file
    ///   name, `notFound` if the file does not exist, `system` if it cannot be deleted.
    public func delete(_ fileName: String) throws {
        try location.appending(fileName).check("delete")
        let file = url.appending(component: fileName, directoryHint: .notDirectory)
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            throw AppFolderError(
                .notFound, at: file,
                "Cannot delete \(file.filePath): "
                    + "the file does not exist; files() has those that do.")
        } catch {
            throw AppFolderError(refused: "delete", at: file, error)
        }
    }
}
