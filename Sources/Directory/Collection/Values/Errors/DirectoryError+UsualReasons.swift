extension DirectoryError.Code {
    /// The usual reason of errors with this code, in words for people; nil for `ioFailure`, whose reason the system
    /// gives.
    var usualReason: String? { Self.usualReasons[self] }

    private static let usualReasons: [Self: String] = [
        .accessDenied: "a permission is missing",
        .assetMissing: "its file is missing",
        .cancelled: "the import was cancelled",
        .closed: "it was closed",
        .containerRemoved: "the folder was removed or replaced",
        .crossVolume: "it would have to be moved to another volume",
        .damagedIndex: "it ends too early",
        .deviceLocked: "the device is locked",
        .duplicateID: "it has the item already",
        .inDoubt: doubt(because: failedDrive),
        .indexConflict: "another program changed it before its newest changes were written into it",
        .indexOutOfRange: "it has fewer items",
        .invalidID: "its id is not valid",
        .invalidLocation: "its place cannot be used",
        .invalidName: "a name that it needs is not valid",
        .itemChanged: "the item was changed elsewhere in the meantime",
        .itemNotFound: "the item is not there",
        .journalDamaged: "its newest changes were damaged on the drive or by others",
        .locked: "another process has been using it",
        .nameTaken: "a name that it needs is taken",
        .nestedWrite: "the app has not finished what it was doing with it",
        .noSpace: "there is no space left",
        .notDownloaded: "it is only in the cloud, and was not downloaded",
        .optionsDiffer: "it is open in this process with other options",
        .readOnly: "the volume is read-only",
        .sourceMissing: "the file does not exist",
        .sourceNotFile: "it is not a regular file",
        .sourceOwned: "it is the file of an item of a collection",
        .stageClosed: "the files were imported or discarded before",
        .suspended: "the system gives the app no time now",
        .undecodable: "its items cannot be read",
        .undoConflict: "the item was changed or removed since",
        .damagedCopy: "something in the copy is damaged or missing",
        .unencodable: "one of its values cannot be saved",
        .unfinishedChange:
            "the app ended while it changed it together with other collections, and one of them was moved, "
            + "copied or edited since",
        .unwatchable: "the system gives no events of changes",
    ]

    /// The usual reason of an error of a drive that has no code of its own.
    static let failedDrive = "the drive failed"

    fileprivate static func doubt(because reason: String) -> String {
        "\(reason), and it is not known whether the change was saved"
    }
}

extension DirectoryError.Wording {
    /// The usual reason of errors with `code`.
    init(usual code: DirectoryError.Code, operation: String? = nil, name: String? = nil) {
        self.init(operation: operation, name: name, reason: code.usualReason)
    }

    /// The wording of an error after which it is unknown whether the index `name` was saved, because of `error`.
    init(doubtAfter error: any Error, of name: String) {
        let code = DirectoryError.Code(of: error)
        let reason = code.usualReason ?? DirectoryError.Code.failedDrive
        self.init(
            operation: "save a change of", name: name,
            reason: DirectoryError.Code.doubt(because: reason),
            remedy: code == .noSpace
                ? "Free some space, then open it again to see what was saved." : nil)
    }

    static let noSuchItem = Self(usual: .itemNotFound)
    static let noSuchPosition = Self(usual: .indexOutOfRange)
    static let changedID = Self(
        reason: "the item would become another one", remedy: DirectoryError.Code.invalidID.advice)
}
