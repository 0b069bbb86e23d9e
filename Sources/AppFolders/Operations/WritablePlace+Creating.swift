import Foundation

extension WritablePlace {
    /// Creates the folder and the missing folders above it, unless it exists.
    ///
    /// Only their owner can open new folders (mode 0700), as the XDG specification requires.
    ///
    /// - Returns: This place.
    /// - Throws: ``AppFolderError``; its code is `invalidName` or `reservedName` if the class of a
    ///   folder declares such a name, `inTheWay` if a file has the name of the folder or of one above
    ///   it, `system` if the system refuses.
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
                "Cannot create \(self): a file has its name or that of a folder above it; "
                    + "move the file away.")
        } catch {
            throw AppFolderError(refused: "create", at: url, error)
        }
        return self
    }
}
