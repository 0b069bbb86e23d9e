import Directory
import Foundation

extension Command {
    @Sendable static func new(_ call: Call) throws {
        let name = call.operands[0]
        try Project.check(name)
        // Inside the write, no other process can take the name of the folder.
        let project = try call.store.projects.commit { draft in
            try Store.checkFree(name, in: draft.items)
            let project = try Project(named: name, in: call.store.projects)
            try draft.append(project)
            return project
        }
        call.store.record("new \(name)", .made(project))
        if call.isDefaultStore { Settings().project = project.name }
        call.say("Made \(project.name.styled(.bold)) in \(project.folderName.styled(.blue))")
    }

    @Sendable static func rename(_ call: Call) throws {
        let (old, new) = (call.operands[0], call.operands[1])
        try Project.check(new)
        let (before, after) = try call.store.projects.commit { draft in
            let project = try Store.project(named: old, in: draft.items)
            try Store.checkFree(new, in: draft.items, except: project.id)
            try draft.update(id: project.id) { try $0.rename(to: new, in: call.store.projects) }
            return (project, draft[id: project.id] ?? project)
        }
        call.store.record("rename \(old) to \(new)", .renamed(from: before, to: after))
        if call.isDefaultStore, Settings().project == old { Settings().project = new }
        let place = "\(new.styled(.bold)) in \(after.folderName.styled(.blue))"
        call.say("Renamed \(old.printable) to \(place)")
    }

    @Sendable static func list(_ call: Call) throws {
        if call.has(.names) {
            guard !call.has(.json) else {
                throw Failure(.usage, "list has either --json or --names", hint: Command.hint)
            }
            return call.store.projects.items.forEach { print($0.name.printable) }
        }
        let (rows, failures) = call.store.forEachProject { project in
            ProjectRow(
                name: project.name, folder: project.folderName,
                photos: try call.store.open(.photos, of: project).count,
                notes: try call.store.open(.notes, of: project).count)
        }
        try call.show(
            sorted(rows), name: \.name,
            emptyText: failures.isEmpty
                ? "There are no projects; make one with: directory-demo new NAME" : nil
        ) { row in
            "\(row.photos.of("photo")), \(row.notes.of("note"))  \(row.folder.styled(.blue))"
        }
        try Failures.check(failures)
    }

    /// A project as `list` shows it.
    private struct ProjectRow: Encodable {
        let name: String
        let folder: String
        let photos: Int
        let notes: Int
    }

    /// The rows in the order that the user prefers; equal ones in the order of the collection.
    private static func sorted(_ rows: [ProjectRow]) -> [ProjectRow] {
        switch Settings().sort {
        case .order: rows
        case .name: rows.sorted { $0.name < $1.name }
        case .photos: rows.sorted { $0.photos > $1.photos }
        }
    }
}
