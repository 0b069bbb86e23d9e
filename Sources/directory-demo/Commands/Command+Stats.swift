import Directory

extension Command {
    @Sendable static func stats(_ call: Call) throws {
        let rows = try call.store.projects.items.map { project in
            let photos = try call.store.open(.photos, of: project).items
            return SizeRow(
                name: project.name, photos: photos.count,
                notes: try call.store.open(.notes, of: project).count,
                byteCount: photos.reduce(0) { $0 + $1.byteCount })
        }
        if call.has(.json) { return try Terminal.printJSON(rows) }
        guard !rows.isEmpty else { return print("There are no projects") }
        let most = rows.map(\.byteCount).max() ?? 0
        let counts = rows.map { "\($0.photos.of("photo")), \($0.notes.of("note"))" }
        let countWidth = counts.map(\.count).max() ?? 0
        // Long names are cut to fit; a bar needs some columns, or is left out.
        let columns = Terminal.size.columns - countWidth - 9 - 5
        let nameWidth = min(rows.map(\.name.columns).max() ?? 0, max(6, min(24, columns)))
        let room = columns - nameWidth - 2
        for (row, count) in zip(rows, counts) {
            let name = row.name.clipped(to: nameWidth).padded(to: nameWidth).styled(.bold)
            let size = row.byteCount.asBytes.rightAligned(to: 9)
            let bar =
                room >= 4 ? "  " + Self.bar(row.byteCount, of: most, width: min(room, 40)) : ""
            print("\(name)  \(size)\(bar)  \(count)")
        }
        let all = rows.reduce(0) { $0 + $1.byteCount }
        print("\(rows.count.of("project")), \(all.asBytes) of photos")
    }

    /// A project as `stats` shows it.
    private struct SizeRow: Encodable {
        let name: String
        let photos: Int
        let notes: Int
        let byteCount: Int
    }

    private static func bar(_ value: Int, of most: Int, width: Int) -> String {
        let share = most > 0 ? Double(value) / Double(most) : 0
        // What is not nothing can be seen.
        let filled = max(value > 0 ? 1 : 0, Int((share * Double(width)).rounded()))
        let rest = String(repeating: "·", count: width - filled)
        return String(repeating: "━", count: filled).styled(.green) + rest.styled(.dim)
    }
}
