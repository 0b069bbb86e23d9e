import FileSystem
public import Foundation

extension AppFolderError: LocalizedError {
    /// The folder and the reason for people, in English, without the path.
    public var errorDescription: String? { text.sentence }

    /// The reason for people, as a sentence.
    public var failureReason: String? { text.reasonSentence }

    /// Advice for people, as sentences.
    public var recoverySuggestion: String? { text.advice }

    private var text: TextForPeople {
        let name = (givenName ?? url?.lastPathComponent).map(Self.shown)
        let (reason, advice) =
            refusal.map { ($0.reason, $0.advice) } ?? Self.texts[code] ?? Self.refused
        return TextForPeople("use \(name ?? "a folder of the app")", reason, advice)
    }

    /// A name in quotation marks; a name that says nothing to people is "a folder".
    private static func shown(_ name: String) -> String {
        let isReadable = (1...255).contains(name.utf8.count) && !name.utf8.contains(0)
        return isReadable ? TextForPeople.quoted(name, or: "a folder") : "a folder"
    }

    private static let refused = (
        reason: TextForPeople.refused, advice: TextForPeople.checkSpace
    )

    /// The texts of all codes except `system`.
    private static let texts: [Code: (reason: String, advice: String)] = [
        .invalidName: ("its name is not valid", "Choose another name."),
        .reservedName: ("the system needs its name", "Choose another name."),
        .invalidRoot: ("its place cannot be used", TextForPeople.mistake),
        .noGroup: (
            "the app has no access to the folder that it shares with other apps",
            TextForPeople.mistake
        ),
        .notPurgeable: ("what is in it cannot be made again", TextForPeople.mistake),
        .shared: ("other apps keep files in it too", TextForPeople.mistake),
        .notFound: ("it is not there", TextForPeople.lookAgain),
        .inTheWay: ("something else is in its place", TextForPeople.freeName),
    ]
}
