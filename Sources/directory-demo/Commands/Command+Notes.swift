import Directory
import Foundation

extension Command {
    static let note = Command("note", "NAME TEXT", "Add a note to a project.") { call in
        let project = try call.project
        let notes = try call.store.open(.notes, of: project)
        let note = Note(text: call.operands[1])
        try notes.changing { try $0.append(note) }
        call.store.record(
            "note \(project.name) \"\(note.text)\"", .notes(Edit(after: [note]), of: project.id))
        call.say("\(project.name.styled(.bold)) has \(notes.count.of("note"))")
    }

    static let notes = Command(
        "notes", "NAME", options: [.json], "Show the notes of a project.",
        "Each has the number that \"remove-note\" needs."
    ) { call in
        let project = try call.project
        let notes = try call.store.open(.notes, of: project).items
        let rows = notes.enumerated().map { position, note in
            NoteRow(id: note.id, number: position + 1, text: note.text)
        }
        try call.show(
            rows, name: { "\($0.number)" }, emptyText: "\(project.name.styled(.bold)) has no notes"
        ) { $0.text.printable }
    }

    /// A note as `notes` shows it.
    private struct NoteRow: Encodable {
        let id: UUID
        let number: Int
        let text: String
    }

    static let removeNote = Command(
        "remove-note", "NAME NUMBER", "Remove a note from a project.",
        "NUMBER is what \"notes\" shows, or the id of a note."
    ) { call in
        let project = try call.project
        let notes = try call.store.open(.notes, of: project)
        let note = try findNote(call.operands[1], in: notes.items, of: project)
        try notes.changing { _ = try $0.remove(id: note.id) }
        call.store.record(
            "remove the note \"\(note.text)\" from \(project.name)",
            .notes(Edit(before: [note]), of: project.id))
        call.say("Removed \"\(note.text.printable)\" from \(project.name.styled(.bold))")
    }

    /// The note with the number or the id `key`.
    private static func findNote(
        _ key: String, in notes: Directory<Note>.Items, of project: Project
    ) throws -> Note {
        let position = UUID(uuidString: key).flatMap(notes.index) ?? Int(key).map { $0 &- 1 }
        guard let position, notes.indices.contains(position) else {
            throw Failure(
                "there is no note \(key) in \(project.name)",
                hint: "See: directory-demo notes NAME")
        }
        return notes[position]
    }
}
