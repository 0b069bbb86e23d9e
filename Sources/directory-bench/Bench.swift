import Directory
import Foundation

/// Measures the library against bare system calls and against Foundation, in one process and in
/// turn, and prints a table.
@main
struct Bench {
    private(set) var isQuick = false
    private var isJSON = false
    private var only: String?

    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        var bench = Bench()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--quick": bench.isQuick = true
            case "--json": bench.isJSON = true
            case "--only": bench.only = arguments.popFirst()
            case "--child":
                let (kind, path) = (arguments.popFirst() ?? "", arguments.popFirst() ?? "")
                return try await Self.child(kind, URL(filePath: path))
            default:
                print("usage: directory-bench [--quick] [--json] [--only NAME]")
                exit(argument == "--help" ? 0 : 64)
            }
        }
        try await bench.run()
    }

    private func run() async throws {
        var rows: [Row] = []
        for (name, n) in plan where only == nil || only == name {
            let row = try await row(name, n)
            rows.append(row)
            if !isJSON { print(row) }
        }
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        }
    }

    /// What to measure, and at which counts.
    private var plan: [(String, Int)] {
        let million = isQuick ? 10_000 : 1_000_000
        let hundredThousand = isQuick ? 10_000 : 100_000
        let twoHundredThousand = isQuick ? 10_000 : 200_000
        let tenThousand = isQuick ? 500 : 10_000
        return [
            ("append.durable", 1_000), ("append.durable", hundredThousand),
            ("append.durable", million), ("append.relaxed", million),
            ("update.relaxed", million), ("remove.relaxed", million),
            ("append.batch", twoHundredThousand), ("load", twoHundredThousand),
            ("load", million), ("read.id", million), ("append.concurrent", 64),
            ("import", tenThousand), ("remove.container", tenThousand), ("memory", million),
            ("written", hundredThousand), ("open.cold", isQuick ? 50 : 1_000),
            ("filestore.save", 1_000), ("filestore.list", 10_000),
            ("filestore.size", 10_000), ("filestore.delete", tenThousand),
            ("filestore.memory", 10_000),
        ]
    }

    private func row(_ name: String, _ n: Int) async throws -> Row {
        switch name {
        case "append.durable": try appendDurable(n)
        case "append.relaxed":
            try relaxed(name, n, seconds: 9e-6) { tracks, round in
                try tracks.append(Track(10_000_000 + round))
            }
        case "update.relaxed":
            try relaxed(name, n) { tracks, round in
                try tracks.update(id: 500 + round) { $0.isFavourite.toggle() }
            }
        case "remove.relaxed":
            try relaxed(name, n) { tracks, round in try tracks.remove(id: 500 + round) }
        case "append.batch": try appendBatch(n)
        case "load": try load(n)
        case "read.id": try readID(n)
        case "append.concurrent": try await appendConcurrent(n)
        case "import": try importFiles(n)
        case "remove.container": try removeContainer(n)
        case "memory": try memory(n)
        case "written": try written(n)
        case "filestore.save": try await saveFile(n)
        case "filestore.list": try await listFiles(n)
        case "filestore.size": try await sizeFiles(n)
        case "filestore.delete": try await deleteFiles(n)
        case "filestore.memory": try listMemory(n)
        default: try openCold(n)
        }
    }

    /// How often to repeat a change.
    var rounds: Int { isQuick ? 5 : 199 }
}

extension Row: CustomStringConvertible {
    var description: String {
        func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
            let fill = String(repeating: " ", count: max(0, width - text.count))
            return right ? fill + text : text + fill
        }
        let isBytes = ["memory", "written", "filestore.memory"].contains(name)
        func amount(_ value: Double) -> String {
            isBytes ? String(format: "%.1f MB", value / 1e6) : Row.format(value)
        }
        return [
            pad(name, 18), pad("\(n)", 9, right: true), pad(amount(seconds), 12, right: true),
            pad(amount(referenceSeconds), 12, right: true), pad(reference, 10),
            pad(String(format: "%.2f", ratio), 8, right: true), pad(goal, 30),
            met ? "met" : "missed",
        ].joined(separator: "  ")
    }
}
