import Directory
import Foundation

extension Command {
    static let new = Command(
        "new", "NAME", needs: .anyStore, "Make a project and its folder.",
        "The first project makes the store as well."
    ) { call in
        let (store, name) = (call.store, call.operands[0])
        try Project.check(name)
        // Inside the write, no other process can take the name of the folder.
        let project = try store.projects.commit { draft in
            try draft.items.checkFree(name)
            let project = try Project(named: name, in: store.projects)
            try draft.append(project)
            return project
        }
        store.record("new \(name)", .projects(Edit(after: [project])))
        call.lastProject = name
        call.say("Made \(name.styled(.bold)) in \(project.folderName.styled(.blue))")
    }

    static let rename = Command(
        "rename", "OLD NEW", "Rename a project and its folder.",
        "Its photos and notes move with the folder, in one step."
    ) { call in
        let (store, old, new) = (call.store, call.operands[0], call.operands[1])
        try Project.check(new)
        let edit = try store.projects.commit { draft in
            let project = try draft.items.project(named: old)
            try draft.items.checkFree(new, except: project.id)
            try draft.update(id: project.id) { try $0.rename(to: new, in: store.projects) }
            return Edit(before: [project], after: draft.items.filter { $0.id == project.id })
        }
        store.record("rename \(old) to \(new)", .projects(edit))
        if call.lastProject == old { call.lastProject = new }
        let folder = edit.after.map(\.folderName).joined().styled(.blue)
        call.say("Renamed \(old.printable) to \(new.styled(.bold)) in \(folder)")
    }

    static let list = Command(
        "list", "", options: [.json, .names], "Show the projects.",
        "\"config sort\" sets their order."
    ) { call in
        if call.has(.names) {
            guard !call.has(.json) else {
                throw Failure(.usage, "list has either --json or --names", hint: hint)
            }
            return call.store.projects.items.forEach { print($0.name.printable) }
        }
        let (rows, failures) = call.store.projectRows()
        let sorted =
            switch Settings().sort {
            case .order: rows
            case .name: rows.sorted { $0.name < $1.name }
            case .photos: rows.sorted { $0.photos > $1.photos }
            }
        try call.show(
            sorted, name: \.name,
            emptyText: failures.isEmpty
                ? "There are no projects; make one with: directory-demo new NAME" : nil
        ) { row in "\(row.counts)  \(row.folder.styled(.blue))" }
        try Failure.check(failures)
    }

    static let stats = Command(
        "stats", "", options: [.json], "Compare the sizes of the projects."
    ) { call in
        let (rows, failures) = call.store.projectRows()
        let most = rows.map(\.byteCount).max() ?? 0
        try call.show(
            rows, name: \.name, emptyText: failures.isEmpty ? "There are no projects" : nil
        ) { row in
            let size = row.byteCount.asBytes.rightAligned(to: 9)
            return "\(size)  \(bar(row.byteCount, of: most))  \(row.counts)"
        }
        if !rows.isEmpty, !call.has(.json) {
            let all = rows.reduce(0) { $0 + $1.byteCount }
            print("\(rows.count.of("project")), \(all.asBytes) of photos")
        }
        try Failure.check(failures)
    }

    /// A bar of 20 columns; that of anything but nothing has at least one block.
    private static func bar(_ value: Int, of most: Int) -> String {
        let filled = most > 0 ? Int((Double(value) / Double(most) * 20).rounded(.up)) : 0
        let bar = String(repeating: "━", count: filled)
        return (bar + String(repeating: "·", count: 20 - filled)).styled(.green)
    }
}

/// A project as `list` and `stats` show it.
private struct ProjectRow: Encodable {
    let name: String
    let folder: String
    let photos: Int
    let notes: Int
    /// The size of all photos.
    let byteCount: Int

    var counts: String { "\(photos.of("photo")), \(notes.of("note"))" }
}

extension Store {
    /// The rows of the projects that can be read, and a failure for each other project.
    fileprivate func projectRows() -> (results: [ProjectRow], failures: [Failure]) {
        forEachProject { project in
            let photos = try open(.photos, of: project).items
            return ProjectRow(
                name: project.name, folder: project.folderName, photos: photos.count,
                notes: try open(.notes, of: project).count,
                byteCount: photos.reduce(0) { $0 + $1.byteCount })
        }
    }
}
