import Directory

extension Command {
    @Sendable static func stats(_ call: Call) throws {
        let (rows, failures) = call.store.forEachProject { project in
            let photos = try call.store.open(.photos, of: project).items
            return SizeRow(
                name: project.name, photos: photos.count,
                notes: try call.store.open(.notes, of: project).count,
                byteCount: photos.reduce(0) { $0 + $1.byteCount })
        }
        let most = rows.map(\.byteCount).max() ?? 0
        // The columns that a name, a size and counts of the usual widths leave; with fewer, the end is cut.
        let name = rows.map(\.name.columns).max() ?? 0
        let width = max(4, min(40, Terminal.size.columns - name - 40))
        try call.show(
            rows, name: \.name, emptyText: failures.isEmpty ? "There are no projects" : nil
        ) { row in
            let size = row.byteCount.asBytes.rightAligned(to: 9)
            let counts = "\(row.photos.of("photo")), \(row.notes.of("note"))"
            return "\(size)  \(bar(row.byteCount, of: most, width: width))  \(counts)"
        }
        if !rows.isEmpty, !call.has(.json) {
            let all = rows.reduce(0) { $0 + $1.byteCount }
            Terminal.printLine("\(rows.count.of("project")), \(all.asBytes) of photos")
        }
        try Failures.check(failures)
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
        // A bar of anything but nothing has at least one block.
        let filled = max(value > 0 ? 1 : 0, Int((share * Double(width)).rounded()))
        let rest = String(repeating: "·", count: width - filled)
        return String(repeating: "━", count: filled).styled(.green) + rest.styled(.dim)
    }
}
