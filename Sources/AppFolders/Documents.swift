public import Foundation

/// Documents that the user made, or that nothing can make again.
///
/// The user may see the folder, so keep nothing in it that only the app needs. It is backed up and
/// never purged.
public struct Documents: WritablePlace {
    /// The location of `Documents` in its root.
    public let location: Location

    /// Files that other apps asked this app to open.
    public var Inbox: Inbox { .init(location: Location(root: location.root, place: .inbox)) }
}

extension Documents {
    /// Files that other apps asked this app to open, to be read and deleted only.
    ///
    /// The system fills the folder, such as with attachments from a mail. The app may not write
    /// in it: to edit a file, move it out first. So this place cannot be created, marked or
    /// appended to. It is backed up and never purged.
    public struct Inbox: Place {
        /// The location of `Documents/Inbox` in its root.
        public let location: Location
    }
}

extension Documents.Inbox {
    /// The files that wait, in the order of their names.
    ///
    /// - Returns: The addresses of all files, or nothing where the folder does not exist.
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
    /// A symbolic link is deleted itself, not what it leads to.
    ///
    /// - Parameter fileName: The file's name, one valid file name.
    /// - Throws: ``AppFolderError``; its code is `invalidName` for anything but one file name,
    ///   `notFound` if there is no such file, `system` if the file cannot be deleted.
    public func delete(_ fileName: String) throws {
        try location.appending(fileName).check("delete")
        let file = url.appending(component: fileName, directoryHint: .notDirectory)
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            throw AppFolderError(
                .notFound, at: file,
                "Cannot delete \(file.filePath): "
                    + "there is no such file; see files().")
        } catch {
            throw AppFolderError(refused: "delete", at: file, error)
        }
    }
}
