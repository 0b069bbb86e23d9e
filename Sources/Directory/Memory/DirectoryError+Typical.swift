extension DirectoryError.Code {
    /// Why a call on a disk mostly fails with this code, in the words for people; nil for codes that tests of
    /// an app can cause without a fault.
    var typicalReason: String? { usualReason ?? Self.typicalReasons[self] }

    private static let typicalReasons: [Self: String] = [
        .assetMissing: "its file is missing",
        .cancelled: "the import was cancelled",
        .containerRemoved: "the folder was removed or replaced",
        .damagedIndex: "it ends too early",
        .inDoubt: "the drive failed, and it is not known whether the change is on it",
        .indexConflict: "another program changed it before its newest changes were written into it",
        .ioFailure: "the drive failed",
        .itemChanged: "the item was changed elsewhere in the meantime",
        .journalDamaged: "its newest changes were damaged on the drive or by others",
        .locked: "another process has been using it",
        .undecodable: "its items cannot be read",
        .undoConflict: "the item was changed or removed since",
        .unfinishedTransfer:
            "the app ended while it moved items from it to another collection, which is not at its place any "
            + "more",
    ]
}
