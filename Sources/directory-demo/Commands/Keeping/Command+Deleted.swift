import Directory
import Foundation

extension Command {
    @Sendable static func deleted(_ call: Call) throws {
        let (all, failures) = call.store.recentlyRemoved()
        let rows = all.enumerated().map { position, removed in
            DeletedRow(
                number: position + 1, id: removed.id, kind: removed.kind, name: removed.name,
                project: removed.project, byteCount: removed.byteCount,
                date: removed.date.formatted(.iso8601), time: removed.date)
        }
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
        let position = Int(key).map { $0 &- 1 } ?? all.firstIndex { $0.id == key }
        guard let position, all.indices.contains(position) else {
            try Failures.check(failures)
            throw Failure(
                .operation, "nothing with the number \(key) was removed",
                hint: "See: directory-demo deleted")
        }
        let removed = all[position]
        let name = try waiting(removed.bringBack)
        call.say("Brought back the \(removed.kind) \(name.styled(.bold))")
    }

    private static let dateFormat = Date.ISO8601FormatStyle(timeZone: .current)
        .year().month().day().dateSeparator(.dash)
        .dateTimeSeparator(.space).time(includingFractionalSeconds: false).timeSeparator(.colon)

    /// What was removed, as `deleted` shows it.
    private struct DeletedRow: Encodable {
        let number: Int
        let id: String
        let kind: String
        let name: String
        /// The name of the project that it was removed from; nil for a project.
        let project: String?
        let byteCount: Int
        /// As in ISO 8601.
        let date: String
        let time: Date

        private enum CodingKeys: CodingKey { case number, id, kind, name, project, byteCount, date }
    }
}

/// A project, a photo or a note that was removed.
private struct Removed {
    let id: String
    let kind: String
    let name: String
    let project: String?
    let byteCount: Int
    let date: Date
    /// Brings it back, and returns the name that it has now.
    let bringBack: () throws -> String

    init<Item: Codable & Identifiable & Sendable>(
        _ removed: Directory<Item>.RemovedItem, _ kind: String, from project: Project? = nil,
        name: KeyPath<Item, String>, _ bringBack: @escaping () throws -> Item
    ) where Item.ID: Sendable {
        (id, self.kind) = (removed.id.description, kind)
        self.name = removed.item[keyPath: name]
        self.project = project?.name
        (byteCount, date) = (removed.byteCount, removed.date)
        self.bringBack = { try bringBack()[keyPath: name] }
    }
}

extension Store {
    /// What was removed in the last month, the newest first, and why a project cannot be read.
    fileprivate func recentlyRemoved() -> (removed: [Removed], failures: [Failure]) {
        var (all, failures) = forEachProject { project in
            try removed(.photos, of: project, "photo", name: \.name)
                + removed(.notes, of: project, "note", name: \.text)
        }
        do {
            all.append(
                try projects.recentlyRemoved().map { removed in
                    Removed(removed, "project", name: \.name) { try bringBack(removed.id) }
                })
        } catch {
            failures.append(Failure(error))
        }
        return (all.joined().sorted { $0.date > $1.date }, failures)
    }

    private func removed<Item: Codable & Identifiable & Sendable>(
        _ child: Child<Item>, of project: Project, _ kind: String, name: KeyPath<Item, String>
    ) throws -> [Removed] where Item.ID: Sendable {
        let collection = try open(child, of: project)
        return try collection.recentlyRemoved().map { removed in
            Removed(removed, kind, from: project, name: name) {
                let items = try collection.bring(back: [removed.id])
                try collection.close()
                return items.first ?? removed.item
            }
        }
    }

    /// Brings a project back, under another name if its own is taken.
    private func bringBack(_ id: RemovedItemID) throws -> Project {
        let items = try projects.bring(back: [id]) { project in
            var name = project.name
            while projects.items.contains(where: { $0.name == name }) { name += " (restored)" }
            if name != project.name { try project.rename(to: name, in: projects) }
        }
        try projects.close()
        guard let project = items.first else {
            throw Failure(.operation, "it is not there any more")
        }
        return project
    }
}
