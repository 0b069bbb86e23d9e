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
        if call.has(.json) {
            try Terminal.printJSON(rows)
        } else if !rows.isEmpty {
            show(rows)
        } else if failures.isEmpty {
            print("There are no projects")
        }
        try Failures.check(failures)
    }

    /// Shows a line for each project, and one for all together.
    private static func show(_ rows: [SizeRow]) {
        let most = rows.map(\.byteCount).max() ?? 0
        let counts = rows.map { "\($0.photos.of("photo")), \($0.notes.of("note"))" }
        let layout = Layout(
            columns: Terminal.size.columns, nameWidth: rows.map(\.name.columns).max() ?? 0,
            countWidth: counts.map(\.count).max() ?? 0)
        for (row, count) in zip(rows, counts) {
            let name = row.name.clipped(to: layout.name).padded(to: layout.name).styled(.bold)
            var columns = [name, row.byteCount.asBytes.rightAligned(to: Layout.size)]
            if layout.bar > 0 { columns.append(bar(row.byteCount, of: most, width: layout.bar)) }
            if layout.hasCounts { columns.append(count) }
            Terminal.printLine(columns.joined(separator: "  "))
        }
        let all = rows.reduce(0) { $0 + $1.byteCount }
        Terminal.printLine("\(rows.count.of("project")), \(all.asBytes) of photos")
    }

    /// The widths of the columns: name, size, bar and counts, with two spaces between them.
    ///
    /// If there is no room, long names are cut first; then the counts are left out, then the bars.
    private struct Layout {
        /// The width of a number of bytes.
        static let size = 9
        var name: Int
        var bar: Int
        let hasCounts: Bool

        init(columns: Int, nameWidth: Int, countWidth: Int) {
            let whole = columns - Self.size - countWidth - 6
            hasCounts = whole >= 14
            let rest = hasCounts ? whole : columns - Self.size - 4
            name = min(nameWidth, max(8, min(24, rest - 10)))
            bar = min(40, rest - name)
            if bar < 4 { (name, bar) = (min(nameWidth, max(1, columns - Self.size - 2)), 0) }
        }
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
