extension BaseChange {
    /// The lines of the change, which `init(_:)` reads.
    var bytes: [UInt8] {
        var writer = LineWriter()
        if showsNothing { writer.line { $0.member("nothing", json: "true".utf8) } }
        for (item, shown) in items { writer.line { Self.write(item, shown, to: &$0) } }
        for (item, removal) in held {
            writer.line { line in
                Self.write(item, removal.shown, to: &line)
                line.member("held", json: "\(removal.isForPerson)".utf8)
            }
        }
        for order in orders {
            writer.line { line in
                line.member("order", order.collection.kind)
                if let container = order.collection.container {
                    line.member("of", container.text)
                }
                line.member("from", order.range.lowerBound)
                line.member("to", order.range.upperBound)
                line.name("ids")
                line.array { array in for key in order.keys { array.element(key.text) } }
            }
        }
        if let seen { writer.line { $0.member("shown", seen) } }
        if !repairs.isEmpty {
            writer.line { line in
                line.name("repairs")
                line.array { array in for name in repairs.sorted() { array.element(name) } }
            }
        }
        return writer.bytes
    }

    private static func write(
        _ item: ItemReference, _ shown: ShownItem?, to line: inout LineWriter
    ) {
        line.member("in", item.kind)
        line.member("id", item.key.text)
        guard let shown else { return line.member("gone", json: "true".utf8) }
        if let container = shown.container { line.member("of", container.text) }
        line.member("line", json: shown.line)
        if let position = shown.position { line.member("at", position.text) }
        if let file = shown.file {
            line.name("file")
            line.array { file.write(to: &$0) }
        }
        if let name = shown.fileName { line.member("fileName", name) }
        if let name = shown.folderName { line.member("folderName", name) }
        if let name = shown.wantedFolderName { line.member("wanted", name) }
        if let seen = shown.seen { line.member("seen", seen) }
    }

    /// Reads the lines that `bytes` has.
    ///
    /// - Throws: ``FormatError``, or a syntax error of JSON.
    init(_ bytes: ArraySlice<UInt8>) throws {
        var lines = Lines(bytes)
        while let line = try lines.next() {
            let fields = try LineFields(line)
            let container = try fields.text("of").map { ItemKey(text: $0) }
            if let vector = try fields.vector("shown") {
                seen = vector
            } else if try fields.isTrue("nothing") {
                showsNothing = true
            } else if let names = try fields.list("repairs", limit: .max) {
                repairs.formUnion(try names.map { try LineFields.text($0, "repairs") })
            } else if let kind = try fields.text("order") {
                let lower = try fields.needed("from", 0...Int(Int32.max))
                let upper = try fields.needed("to", lower...Int(Int32.max))
                let keys = try (fields.list("ids", limit: .max) ?? []).map {
                    ItemKey(text: try LineFields.text($0, "ids"))
                }
                orders.append(
                    .init(
                        collection: .init(kind, in: container), range: lower..<upper, keys: keys))
            } else if try fields.isTrue("gone") {
                items.append((try ItemReference(fields), nil))
            } else {
                guard let line = try fields.object("line") else {
                    throw LineFields.missing("line")
                }
                let shown = ShownItem(
                    line: line, container: container,
                    position: try fields.value("at").map(LineFields.position),
                    file: try fields.value("file").map(LineFields.file),
                    fileName: try fields.text("fileName"),
                    folderName: try fields.text("folderName"),
                    wantedFolderName: try fields.text("wanted"), seen: try fields.vector("seen"))
                let item = try ItemReference(fields)
                if let isForPerson = try fields.bool("held") {
                    held.append((item, .init(shown: shown, isForPerson: isForPerson)))
                } else {
                    items.append((item, shown))
                }
            }
        }
    }
}
