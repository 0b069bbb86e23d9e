/// What the folders and files of a change are to its protocol.
struct Roles: Sendable {
    private let folders: [(path: String, role: String)]

    /// Knows the folders of a change; of a transfer of a photograph, also those of the way back.
    init(in change: Change, isBack: Bool = false) {
        let albums = ["/s/boxes/Ab", "/s/boxes/Cd"]
        folders =
            switch change {
            case .insertNote, .updateNote, .removeNote, .moveNote: [("/s", ".")]
            case .several, .insertBox, .renameBox, .renameBoxInCaseOnly, .removeBox:
                [("/s/boxes", ".")]
            case .importPhotos, .removePhoto: [("/s/boxes/Ab", ".")]
            case .transferBox: [("/s/boxes", "source"), ("/s/archive", "target")]
            case .transferPhoto:
                [(albums[isBack ? 1 : 0], "source"), (albums[isBack ? 0 : 1], "target")]
            case .checkpoint: [(albums[0], "."), ("/s/boxes", ".")]
            }
    }

    /// A step with roles in place of names.
    func callAsFunction(_ step: String) -> String {
        step.split(separator: " ").map { role(of: String($0)) }.joined(separator: " ")
    }

    private func role(of path: String) -> String {
        let folder = folders.first { path == $0.path || path.hasPrefix($0.path + "/") }
        let rest = path.dropFirst(folder?.path.count ?? 0)
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map { part in
            if part.hasSuffix(".journal") { return "journal" }
            if part.hasSuffix(".tmp") { return "temporary" }
            if part.hasSuffix(".json") { return "index" }
            return part.hasSuffix("~*") ? "transaction" : String(part)
        }
        return (folder?.role ?? "") + parts.joined(separator: "/")
    }
}
