import Directory
import Foundation

/// Another program with the same errands: `sample-errands FOLDER add TITLE PLACE` or
/// `sample-errands FOLDER rename TITLE NEW`.
@main struct ErrandsProgram {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5 else { exit(64) }
        let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
        let errands = try Directory<Errand>(at: folder, index: "errands.json")
        try errands.write { draft in
            if arguments[2] == "add" {
                try draft.append(Errand(title: arguments[3], place: arguments[4]))
            } else if let errand = draft.items.first(where: { $0.title == arguments[3] }) {
                try draft.update(id: errand.id) { $0.title = arguments[4] }
            }
        }
    }
}
