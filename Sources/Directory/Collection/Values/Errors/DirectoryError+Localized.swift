public import Foundation

extension DirectoryError {
    /// The texts for people, if they differ from those for developers.
    ///
    /// People know visible files, names and actions. They do not know ids, types, hidden files and functions.
    struct Wording: Sendable {
        /// A verb phrase, as ``DirectoryError/operation``.
        var operation: String?
        /// The file, folder or name that the error is about, if people do not know the one of the
        /// URL.
        var name: String?
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

    private var reasonForPeople: String { wording.reason ?? reason }
}

extension DirectoryError: LocalizedError {
    /// The operation and the reason, in English, without paths.
    public var errorDescription: String? {
        let name = wording.name ?? url.lastPathComponent
        return "Cannot \(wording.operation ?? operation) “\(name)”: \(reasonForPeople)."
    }

    /// The reason, as a sentence.
    public var failureReason: String? {
        reasonForPeople.prefix(1).uppercased() + reasonForPeople.dropFirst() + "."
    }

    /// Advice for people, as sentences; nil if it depends on the system call that failed.
    public var recoverySuggestion: String? { wording.remedy }
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

    static let tooManyFiles = Self(
        reason: "too many files are open now",
        remedy: "Do less at once, or quit this app and others, and try again.")
    static let immovable = Self(
        reason: "its folder is on a drive that cannot move it",
        remedy: "Copy everything to another place, and use the copy.")
    static func belonging(to owner: String) -> Self {
        Self(
            reason: "it belongs to another user of this device, “\(owner)”",
            remedy: "Sign in as that user, or make yourself the owner of its file.")
    }

    static let noSuchItem = Self(usual: .itemNotFound)
    static let noSuchPosition = Self(usual: .indexOutOfRange)
    static let changedID = Self(
        reason: "the item would become another one", remedy: DirectoryError.Code.invalidID.advice)
}
