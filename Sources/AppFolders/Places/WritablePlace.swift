import Foundation

/// A place that the app may write in, and in which it can name its own folders.
public protocol WritablePlace: Place {}

extension WritablePlace {
    /// Names your own folder of class `F` in this one, for a property.
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

    /// Names your own folder of class `F` by its contents, such as one folder for each user.
    ///
    ///     extension Documents {
    ///         final class User: Folder {}
    ///         func User(_ id: Int) throws -> User { try subfolder(named: "User-\(id)") }
    ///     }
    ///
    /// - Parameter name: A valid file name: 1 to 255 bytes of UTF-8 without slash and NUL, and
    ///   neither `.` nor `..`.
    /// - Returns: The folder, which need not exist.
    /// - Throws: ``AppFolderError``; its code is `invalidName`, or `reservedName` for the name of
    ///   a folder of the system such as `Documents/Inbox`.
    public func subfolder<F: Folder>(named name: String) throws -> F {
        try location.appending(name).check("name")
        return F(in: self, named: name)
    }

    /// Names your own folder of class `type` in this one.
    ///
    /// - Parameter type: The class, which has the name of the folder.
    /// - Returns: The folder, which need not exist.
    public func appending<F: Folder>(_ type: F.Type) -> F {
        subfolder()
    }

    /// Names the folder `name` in this one.
    ///
    /// - Parameter name: A valid file name, as for ``subfolder(named:)``.
    /// - Returns: The folder, which need not exist.
    /// - Throws: ``AppFolderError``; its code is `invalidName` or `reservedName`.
    public func appending(_ name: String) throws -> Folder {
        try subfolder(named: name)
    }
}
