import Directory
import Foundation

extension Command {
    static let deleted = Command(
        "deleted", "", options: [.json], "Show what was removed in the last month.",
        "The newest comes first. Each has the number that \"bring-back\" needs."
    ) { call in
        let (rows, failures) = try call.store.recentlyRemoved()
        try call.show(
            rows, name: { "\($0.number)" },
            emptyText: failures.isEmpty ? "Nothing was removed in the last month" : nil
        ) { row in
            let place = row.project.map { " from \($0)" } ?? ""
            return "\(row.kind) \(row.name)\(place)  ".printable
                + "\(row.byteCount.asBytes), \(row.date.asText)".styled(.dim)
        }
        try Failure.check(failures)
    }

    static let bringBack = Command(
        "bring-back", "NUMBER", "Bring back what was removed.",
        "NUMBER is what \"deleted\" shows, or an id that it shows as JSON."
    ) { call in
        let key = call.operands[0]
        let (all, failures) = try call.store.recentlyRemoved()
        guard let removed = all.first(where: { "\($0.number)" == key || $0.id == key }) else {
            try Failure.check(failures)
            throw Failure(
                "nothing with the number \(key) was removed", hint: "See: directory-demo deleted")
        }
        let name = try removed.bringBack()
        call.say("Brought back the \(removed.kind) \(name.styled(.bold))")
    }
}

/// A project, a photo or a note that was removed, as `deleted` shows it.
private struct Removed: Encodable {
    /// Its position in the list of all, from 1.
    var number = 0
    let id: String
    let kind: String
    let name: String
    /// The name of the project that it was removed from; nil for a project.
    let project: String?
    let byteCount: Int
    let date: Date
    /// Brings it back, and returns the name that it has now.
    let bringBack: () throws -> String

    private enum CodingKeys: CodingKey { case number, id, kind, name, project, byteCount, date }
}

extension Store {
    /// The items that were removed in the last 30 days, the newest first, and a failure for each project
    /// that cannot be read.
    fileprivate func recentlyRemoved() throws -> (removed: [Removed], failures: [Failure]) {
        let (contents, failures) = forEachProject { project in
            try open(.photos, of: project).removed("photo", \.name, from: project)
                + open(.notes, of: project).removed("note", \.text, from: project)
        }
        let removed = try projects.removed("project", \.name) { project in
            let name = project.name.unused(" (restored)", projects.items.map(\.name))
            if name != project.name { try project.rename(to: name, in: projects) }
        }
        var all = (removed + contents.joined()).sorted { $0.date > $1.date }
        for position in all.indices { all[position].number = position + 1 }
        return (all, failures)
    }
}

extension Directory {
    /// The items that were removed recently; `change` is made to those that are brought back.
    fileprivate func removed(
        _ kind: String, _ name: KeyPath<Item, String>, from project: Project? = nil,
        changing change: ((inout Item) throws -> Void)? = nil
    ) throws -> [Removed] {
        try recentlyRemoved().map { removed in
            Removed(
                id: removed.id.description, kind: kind, name: removed.item[keyPath: name],
                project: project?.name, byteCount: removed.byteCount, date: removed.date
            ) {
                let items = try self.changing { try $0.bring(back: [removed.id], change) }
                return items.map { $0[keyPath: name] }.joined()
            }
        }
    }
}
