package import FileSystem
public import Foundation

extension DirectoryError {
    /// The texts for people, if they differ from the usual ones of the code, and from the operation and the remedy for
    /// developers.
    struct Wording: Sendable {
        /// A verb phrase, as ``DirectoryError/operation``.
        var operation: String?
        /// The file, folder or name that the error is about, if people do not know the one of the
        /// URL.
        var name: String?
        /// A sentence without its capital letter and its full stop, as ``DirectoryError/reason``, which developers alone
        /// read.
        var reason: String?
        /// A sentence.
        var remedy: String?
    }

    /// The same error, with `name` as the name that people know.
    func naming(_ name: String) -> DirectoryError {
        var error = self
        error.wording.name = name
        return error
    }

    /// The texts for people, which never repeat the reason for developers.
    package var text: TextForPeople {
        let operation = wording.operation ?? operation
        // People do not know a name with a UUID; it is that of an item's folder or file.
        let other = operation.hasSuffix("the name") ? "of an item" : "an item"
        let name = TextForPeople.quoted(wording.name ?? url.lastPathComponent, or: other)
        return TextForPeople(
            "\(operation) \(name)", wording.reason ?? code.usualReason, wording.remedy)
    }
}

extension DirectoryError: LocalizedError {
    /// The operation and the reason, in English, without paths and ids; an index has its name without `.json`.
    public var errorDescription: String? { text.sentence }

    /// The reason, as a sentence.
    public var failureReason: String? { text.reasonSentence }

    /// Advice for people, as sentences.
    public var recoverySuggestion: String? { text.advice }
}

extension DirectoryError.Wording {
    /// The usual texts of errors with `code`, also if an error has another remedy for developers.
    init(usual code: DirectoryError.Code, operation: String? = nil, name: String? = nil) {
        self.init(
            operation: operation, name: name, reason: code.usualReason, remedy: code.advice)
    }

    /// The wording of an error after which it is unknown whether the index `name` was saved, because of `error`.
    init(doubtAfter error: any Error, of name: String) {
        let code = DirectoryError.Code(of: error)
        let reason = code == .ioFailure ? DirectoryError.Code.failedDrive : code.usualReason
        self.init(
            operation: "save a change of", name: name,
            reason: DirectoryError.Code.doubt(because: reason),
            remedy: code == .noSpace
                ? "Free some space, then open it again to see what was saved." : nil)
    }

    /// The wording of an item of the index with `names` whose file is missing; people may know the name of the file.
    init(missing file: String, of names: IndexNames, remedy: String) {
        let shown = TextForPeople.quoted(file, or: "")
        self.init(
            name: names.stem.string,
            reason: shown.isEmpty ? "its file is missing" : "its file \(shown) is missing",
            remedy: remedy)
    }

    static let tooManyFiles = Self(
        reason: SystemRefusal.tooManyFiles.reason, remedy: SystemRefusal.tooManyFiles.advice)
    static let immovable = Self(
        reason: "its folder is on a drive that cannot move it",
        remedy: SystemRefusal.immovable.advice)
    static func belonging(to owner: String) -> Self {
        Self(
            reason: "a file or folder of it belongs to another user of this device, “\(owner)”",
            remedy: "Sign in as that user, or make yourself the owner of all its files.")
    }

    /// The wording of a file or folder that is of another kind than is needed, or whose name is too long; nil for other
    /// errors.
    static func unfit(_ code: Errno) -> Self? {
        switch code {
        case .notFolder:
            Self(reason: "a file is where a folder must be", remedy: TextForPeople.freeName)
        case .isFolder:
            Self(reason: "a folder is where a file must be", remedy: TextForPeople.freeName)
        case .tooManyLinks:
            Self(
                reason: "a link is where a file or folder must be",
                remedy: "Use what it leads to instead.")
        case .nameTooLong:
            Self(
                reason: "its name, or the path to it, is too long",
                remedy: "Choose a shorter name, or a place in fewer folders.")
        case .notSupported, .operationNotSupported, .noSuchDevice:
            Self(
                reason: "it is neither a file nor a folder, or is where those cannot be used",
                remedy: "Choose another one.")
        default: nil
        }
    }

    static let changedID = Self(
        reason: "the item would become another one", remedy: DirectoryError.Code.invalidID.advice)
}
