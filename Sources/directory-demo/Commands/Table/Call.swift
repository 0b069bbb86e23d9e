extension Command {
    /// The store, the operands and the options of one call of a command.
    struct Call {
        let store: Store
        let operands: [String]
        let options: [Option: String]

        /// Whether the call has this option.
        func has(_ option: Option) -> Bool { options[option] != nil }

        /// The project that was used last, which only the default store remembers.
        var lastProject: String? {
            get { has(.store) ? nil : Settings().project }
            nonmutating set { if !has(.store) { Settings().project = newValue } }
        }

        /// The project that the first operand names.
        var project: Project { get throws { try store.project(named: operands[0]) } }

        /// Prints a line about a change that was made, unless the user wants no such lines.
        func say(_ text: String) { if !has(.quiet) { print(text) } }

        /// Shows `rows` as JSON if the call asks for it, and otherwise as one line each.
        ///
        /// - Parameters:
        ///   - rows: The values to show.
        ///   - name: The first column of a line, padded to the same width in all lines.
        ///   - emptyText: The line to show if there are no rows; nil for none.
        ///   - details: The rest of a line.
        /// - Throws: The error of encoding a row.
        func show<Row: Encodable>(
            _ rows: [Row], name: (Row) -> String, emptyText: String?, details: (Row) -> String
        ) throws {
            if has(.json) { return try Terminal.printJSON(rows) }
            let width = rows.map { name($0).count }.max() ?? 0
            for row in rows {
                print("\(name(row).padded(to: width).styled(.bold))  \(details(row))")
            }
            if rows.isEmpty, let emptyText { print(emptyText) }
        }
    }
}
