import Foundation

/// A place that the app may write in, and name folders of its own in.
public protocol WritablePlace: Place {}

extension WritablePlace {
    /// Names the own folder of class `F` in this one, for a property.
    ///
    ///     extension Library.Application_Support {
    ///         final class Files: Folder {}
    ///         var Files: Files { subfolder() }
    ///     }
    ///
    /// - Returns: The folder, which need not exist.
    public func subfolder<F: Folder>() -> F {
        F(in: self)
    }

    /// Names an own folder of class `F` by what it holds, such as one folder a user.
    ///
    ///     extension Documents {
    ///         final class User: Folder {}
    ///         func User(_ id: Int) throws -> User { try subfolder(named: "User-\(id)") }
    ///     }
    ///
    /// - Parameter name: One valid file name: 1 to 255 bytes of UTF-8 without slash or NUL, other
    ///   than `.` and `..`.
    /// - Returns: The folder, which need not exist.
    /// - Throws: ``AppFolderError``; its code is `invalidName`, or `reservedName` for a folder
    ///   of the system such as `Documents/Inbox`.
    public func subfolder<F: Folder>(named name: String) throws -> F {
        try location.appending(name).check("name")
        return F(in: self, named: name)
    }

    /// Names the own folder of class `type` in this one.
    ///
    /// - Parameter type: A class of folder, which has the name.
    /// - Returns: The folder, which need not exist.
    public func appending<F: Folder>(_ type: F.Type) -> F {
        subfolder()
    }

    /// Names the folder `name` in this one.
    ///
    /// - Parameter name: One valid file name, as for ``subfolder(named:)``.
    /// - Returns: The folder, which need not exist.
    /// - Throws: ``AppFolderError``; its code is `invalidName` or `reservedName`.
    public func appending(_ name: String) throws -> Folder {
        try subfolder(named: name)
    }

    /// Creates the folder, and those on the way to it, unless they exist.
    ///
    /// New folders are open to their owner only (mode 0700), as the XDG specification has it.
    ///
    /// - Returns: This place.
    /// - Throws: ``AppFolderError``; its code is `invalidName` or `reservedName` if the class of a
    ///   folder declares such a name, `inTheWay` if something else has the name, `system` if
    ///   the system refuses.
    @discardableResult
    public func create() throws -> Self {
        try location.check("create")
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError
            where error.code == .fileWriteFileExists
            || (error.underlying as? POSIXError)?.code == .ENOTDIR
        {
            throw AppFolderError(
                .inTheWay, at: url,
                "Cannot create \(self): a file has its name, or one on the way; move it away.")
        } catch {
            throw AppFolderError(refused: "create", at: url, error)
        }
        return self
    }
}
