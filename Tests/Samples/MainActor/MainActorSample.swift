import Directory
import Foundation

/// A model in a module whose declarations are on the main actor by default, as Xcode makes new apps: items are read
/// and written on other threads too, so their types say that they are on none.
nonisolated struct Note: Codable, Identifiable, Sendable {
    var id = UUID()
    var text: String
}

nonisolated struct Notebook: Container {
    var id = UUID()
    var title: String
    var folderName: String { title.safeFolderName() }
}

nonisolated extension Child<Note> {
    static var notes: Child<Note> { Child("notes") }
}

/// Without a word it is on the main actor, as a view is.
struct NotebooksModel {
    let notebooks: Directory<Notebook>
    var problem: String?

    mutating func add(_ title: String, _ text: String) async {
        do {
            let notebook = Notebook(title: title)
            try await notebooks.append(notebook)
            try await notebooks.child(.notes, of: notebook.id).append(Note(text: text))
        } catch {
            problem = error.localizedDescription
        }
    }
}

@main struct Program {
    static func main() async throws {
        let folder = URL(filePath: CommandLine.arguments[1])
        var model = NotebooksModel(notebooks: try Directory(at: folder, index: "notebooks.json"))
        await model.add("Journey", "Rain all day")
        for notebook in model.notebooks.items {
            let notes = try await model.notebooks.child(.notes, of: notebook.id)
            try await notes.load()
            print(notebook.title, notes.items.map(\.text), model.problem ?? "")
        }
    }
}
