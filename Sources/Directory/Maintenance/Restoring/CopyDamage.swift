import FileSystem

/// Why a copy, or a file as an archive, cannot be restored.
struct CopyDamage: Error {
    /// For developers: a sentence without its capital letter and full stop.
    let reason: String
    /// For developers; nil for the usual one, another copy.
    var remedy: String?
    /// The texts for people; the usual ones say that something is damaged or missing.
    var people = DirectoryError.Wording()
}

extension DirectoryError.Wording {
    /// The wording of an archive that another program can unpack.
    static func packed(_ reason: String) -> Self {
        Self(reason: reason, remedy: "Unpack it, then choose the folder that comes out of it.")
    }

    /// The wording of a folder or an archive with a name that cannot be used.
    static let unusableName = Self(reason: "a name in it cannot be used here")

    /// The wording of a file that is no archive.
    static let noArchive = Self(
        reason: "it is neither a folder nor an archive", remedy: chooseBackup)

    /// The wording of a folder, or an archive, of something else than the index with `stem`.
    static func noBackup(of stem: FileName) -> Self {
        let shown = TextForPeople.quoted(stem.string, or: "it")
        return Self(reason: "it is not a backup of \(shown)", remedy: chooseBackup)
    }

    /// The wording of a folder, or an archive, with the copy in its folder `inner`.
    static func backup(in inner: FileName, ofArchive isArchive: Bool) -> Self {
        let shown = TextForPeople.quoted(inner.string, or: "inside")
        return Self(
            reason: "the backup is the folder \(shown) in it",
            remedy: isArchive ? "Unpack it, then choose that folder." : "Choose that folder.")
    }

    /// The wording of a copy whose index cannot be read or changed, because of `error`.
    init(ofCopy error: DirectoryError) {
        switch error.code {
        case .undecodable:
            self.init(
                reason: "this version of the app cannot read what is in it",
                remedy: "Update the app, or choose a backup that it has made.")
        case .journalMissing:
            self.init(
                reason: "its newest changes are in a hidden file, which is not there",
                remedy: "Copy it again with all hidden files, or restore from another copy.")
        case .unfinishedChange: self.init(usual: .unfinishedChange)
        default: self.init()
        }
    }

    private static let chooseBackup = "Choose a backup that this app has made."
}
