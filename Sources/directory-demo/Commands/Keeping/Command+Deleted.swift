import Directory
import Foundation

extension Command {
    @Sendable static func deleted(_ call: Call) throws {
        let (rows, failures) = call.store.recentlyRemoved()
        let width = "\(rows.count)".count
        try call.show(
            rows, name: { "\($0.number)".rightAligned(to: width) },
            emptyText: failures.isEmpty ? "Nothing was removed in the last month" : nil
        ) { row in
            let place = row.project.map { " from \($0)" } ?? ""
            let details = "\(row.byteCount.asBytes), \(row.time.formatted(Self.dateFormat))"
            return "\(row.kind) \(row.name)\(place)  ".printable + details.styled(.dim)
        }
        try Failures.check(failures)
    }

    @Sendable static func bringBack(_ call: Call) throws {
        let key = call.operands[0]
        let (all, failures) = call.store.recentlyRemoved()
        guard let removed = all.first(where: { "\($0.number)" == key || $0.id == key }) else {
            try Failures.check(failures)
            throw Failure(
                "nothing with the number \(key) was removed", hint: "See: directory-demo deleted")
        }
        let name = try removed.bringBack()
        call.say("Brought back the \(removed.kind) \(name.styled(.bold))")
    }

    private static let dateFormat = Date.ISO8601FormatStyle(timeZone: .current)
        .year().month().day().dateSeparator(.dash)
        .dateTimeSeparator(.space).time(includingFractionalSeconds: false).timeSeparator(.colon)
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
    /// The time of the removal, in the form of ISO 8601.
    let date: String
    let time: Date
    /// Brings it back, and returns the name that it has now.
    let bringBack: () throws -> String

    private enum CodingKeys: CodingKey { case number, id, kind, name, project, byteCount, date }

    init<Item>(
        _ removed: Directory<Item>.RemovedItem, _ kind: String, from project: Project? = nil,
        in collection: Directory<Item>, name: KeyPath<Item, String>,
        changing change: ((inout Item) throws -> Void)? = nil
    ) {
        (id, self.kind) = (removed.id.description, kind)
        (self.name, self.project) = (removed.item[keyPath: name], project?.name)
        (byteCount, time) = (removed.byteCount, removed.date)
        date = time.formatted(.iso8601)
        bringBack = {
            let items = try collection.changing { try $0.bring(back: [removed.id], change) }
            guard let item = items.first else { throw Failure("it is not there any more") }
            return item[keyPath: name]
        }
    }
}

extension Store {
    /// The items that were removed in the last 30 days, the newest first, and a failure for each project
    /// that cannot be read.
    fileprivate func recentlyRemoved() -> (removed: [Removed], failures: [Failure]) {
        var (all, failures) = forEachProject { project in
            let (photos, notes) = try (open(.photos, of: project), open(.notes, of: project))
            return try photos.recentlyRemoved().map {
                Removed($0, "photo", from: project, in: photos, name: \.name)
            }
                + notes.recentlyRemoved().map {
                    Removed($0, "note", from: project, in: notes, name: \.text)
                }
        }
        do {
            all.append(
                try projects.recentlyRemoved().map { removed in
                    Removed(removed, "project", in: projects, name: \.name) { project in
                        var name = project.name
                        while projects.items.contains(where: { $0.name == name }) {
                            name += " (restored)"
                        }
                        if name != project.name { try project.rename(to: name, in: projects) }
                    }
                })
        } catch {
            failures.append(Failure(error))
        }
        var sorted = all.joined().sorted { $0.time > $1.time }
        for position in sorted.indices { sorted[position].number = position + 1 }
        return (sorted, failures)
    }
}
