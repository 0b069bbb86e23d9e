import StoreModel

/// The roles that folders and files have in the protocol of an operation.
struct Roles: Sendable {
    private let folders: [(path: String, role: String)]

    /// Knows the folders of `operation`; `isBack` if it transfers a photograph back again.
    init(in operation: StoreOperation, isBack: Bool = false) {
        let boxes = ["/store/projects/Ab", "/store/projects/Cd"]
        folders =
            switch operation {
            case .insertNote, .updateNote, .moveNote, .removeNote: [("/store", ".")]
            case .insertBox, .updateBox, .moveBox, .renameBox, .renameBoxInCaseOnly, .removeBox,
                .severalChanges, .swapBoxNames, .cycleBoxNames, .replaceBox:
                [("/store/projects", ".")]
            case .importTwoPhotos, .importThreePhotos, .removePhoto, .replaceAndImport:
                [(boxes[0], ".")]
            case .transferBox: [("/store/projects", "source"), ("/store/archive", "target")]
            case .transferPhoto:
                [(boxes[isBack ? 1 : 0], "source"), (boxes[isBack ? 0 : 1], "target")]
            case .writeBoxAndNote, .writeTwoNotes, .writeNameAndNote, .writeFullBox,
                .writePhotosAndRemoval:
                [
                    (boxes[0], "child"), (boxes[0] + "t", "child"), (boxes[1], "other"),
                    ("/store/projects", "home"),
                ]
            case .checkpoint: [(boxes[0], "."), ("/store/projects", "."), ("/store", ".")]
            case .undo, .redo: [(boxes[0], "."), ("/store/projects", ".")]
            }
    }

    /// The same step with roles in place of paths.
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
            if part.hasPrefix("owner.") || part.hasPrefix(".owner.") { return "owner" }
            return part.hasSuffix("~*") ? "transaction" : String(part)
        }
        return (folder?.role ?? "") + parts.joined(separator: "/")
    }
}
