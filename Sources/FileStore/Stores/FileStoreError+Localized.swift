import FileSystem
public import Foundation

extension FileStoreError: LocalizedError {
    /// What failed and the reason for people, in English, with the name of the file instead of its path.
    public var errorDescription: String? { text.sentence }

    /// The reason for people, as a sentence.
    public var failureReason: String? { text.reasonSentence }

    /// Advice for people, as sentences.
    public var recoverySuggestion: String? { text.advice }

    private var text: TextForPeople {
        let (verb, path, reason, advice) = parts
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let shown = name.isEmpty ? "a file" : TextForPeople.quoted(name, or: "a file")
        return TextForPeople("\(verb) \(shown)", reason, advice)
    }

    private var parts: Parts {
        switch self {
        case .fileNotFound(let path): ("find", path, "it is not there", TextForPeople.lookAgain)
        case .fileAlreadyExists(let path):
            ("save", path, "something has this name already", "Choose another name.")
        case .writeFailed(let path, let underlying):
            Self.refused("save", path, underlying)
        case .deleteFailed(let path, let underlying):
            Self.refused("remove", path, underlying)
        case .directoryCreationFailed(let path, let underlying):
            Self.refused("make the folder", path, underlying)
        case .readFailed(let path, let underlying):
            Self.refused("read", path, underlying, "Check the permissions, then try again.")
        case .invalidPath(let path, _):
            ("use", path, "its name or its place cannot be used", "Choose another one.")
        case .isDirectory(let path):
            ("use", path, "it is a folder, and a file is needed", TextForPeople.freeName)
        case .notADirectory(let path):
            ("use", path, "a file is where a folder must be", TextForPeople.freeName)
        case .encodingFailed(let path, _):
            ("save", path, "one of its values cannot be saved", TextForPeople.mistake)
        case .decodingFailed(let path, _):
            (
                "read", path, "this version of the app does not understand what is in it",
                "Open it with the version of the app that wrote it, or get it back from a backup."
            )
        }
    }

    private typealias Parts = (verb: String, path: String, reason: String, advice: String)

    /// The texts of a call that the system refused; `advice` is given if the refusal is not a known one.
    ///
    /// The cases have only strings, so the advice for developers at the end of `underlying` tells the refusal.
    private static func refused(
        _ verb: String, _ path: String, _ underlying: String,
        _ advice: String = TextForPeople.checkSpace
    ) -> Parts {
        let refusal = SystemRefusal.all.first { underlying.hasSuffix($0.remedy) }
        return (verb, path, refusal?.reason ?? TextForPeople.refused, refusal?.advice ?? advice)
    }
}
