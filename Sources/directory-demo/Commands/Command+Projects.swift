import Directory
import Foundation

extension Command {
    static let new = Command(
        name: "new", operands: "NAME", summary: "Make a project and its folder."
    ) { call in
        let name = call.operands[0]
        try Project.check(name)
        let projects = call.store.projects
        // Inside the write, no other process can take the name of the folder.
        let project = try projects.write { draft in
            try Store.checkFree(name, in: draft.items)
            let project = try Project(named: name, in: projects)
            try draft.append(project)
            return project
        }
        try projects.close()
        if call.isDefaultStore { Settings().project = project.name }
        print("Made \(project.name.styled(.bold)) in \(project.folderName.styled(.blue))")
    }

    static let rename = Command(
        name: "rename", operands: "OLD NEW", summary: "Rename a project and its folder."
    ) { call in
        let (old, new) = (call.operands[0], call.operands[1])
        try Project.check(new)
        let projects = call.store.projects
        let renamed = try projects.write { draft in
            let project = try Store.project(named: old, in: draft.items)
            try Store.checkFree(new, in: draft.items, except: project.id)
            try draft.update(id: project.id) { try $0.rename(to: new, in: projects) }
            return draft[id: project.id] ?? project
        }
        try projects.close()
        if call.isDefaultStore, Settings().project == old { Settings().project = new }
        print("Renamed \(old.printable) to \(new.styled(.bold)) in ", terminator: "")
        print(renamed.folderName.styled(.blue))
    }

    static let note = Command(
        name: "note", operands: "NAME TEXT", summary: "Add a note to a project."
    ) { call in
        let project = try call.store.project(named: call.operands[0])
        let notes = try call.store.open(.notes, of: project)
        try notes.append(Note(text: call.operands[1]))
        try notes.close()
        print("\(project.name.styled(.bold)) has \(notes.count.of("note"))")
    }
}

extension Command {
    static let list = Command(
        name: "list", operands: "", flags: [.json], summary: "Show the projects."
    ) { call in
        let rows = try call.store.projects.items.map { project in
            ProjectRow(
                name: project.name, folder: project.folderName,
                photos: try call.store.open(.photos, of: project).count,
                notes: try call.store.open(.notes, of: project).count)
        }
        try call.show(
            sorted(rows), name: \.name,
            emptyText: "There are no projects; make one with: directory-demo new NAME"
        ) { row in
            "\(row.photos.of("photo")), \(row.notes.of("note"))  \(row.folder.styled(.blue))"
        }
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
