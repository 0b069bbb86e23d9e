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
        defer { Scratch.removeAll() }
        try await bench.run()
    }

    private func run() async throws {
        var rows: [Row] = []
        for (name, counts, measure) in benchmarks where only == nil || only == name {
            for n in counts {
                let row = Row(name, n: n, try await measure(n))
                rows.append(row)
                if !isJSON { print(row) }
            }
        }
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        }
    }

    private typealias Benchmark = (
        name: String, counts: [Int], measure: (Int) async throws -> Measurement
    )

    /// The benchmarks, with the counts to measure at.
    private var benchmarks: [Benchmark] {
        let million = isQuick ? 10_000 : 1_000_000
        let hundredThousand = isQuick ? 10_000 : 100_000
        let twoHundredThousand = isQuick ? 10_000 : 200_000
        // The index of fewer containers would have no journal.
        let twentyThousand = 20_000
        let tenThousand = isQuick ? 500 : 10_000
        return [
            ("append.durable", [1_000, hundredThousand, million], appendDurable),
            ("append.first", [hundredThousand, million], appendFirst),
            ("append.relaxed", [million], appendRelaxed),
            ("update.relaxed", [million], updateRelaxed),
            ("remove.relaxed", [million], removeRelaxed),
            ("append.batch", [twoHundredThousand], appendBatch),
            ("sort", [hundredThousand], sort),
            ("load", [twoHundredThousand, million], load),
            ("load.codable", [twoHundredThousand], loadCodable),
            ("read.id", [million], readID),
            ("observed", [hundredThousand], observed),
            ("results", [hundredThousand], results),
            ("results.sections", [hundredThousand], sections),
            ("append.concurrent", [64], appendConcurrent),
            ("watch", [hundredThousand], watch),
            ("watch.containers", [twentyThousand], watchContainers),
            ("change.others", [twentyThousand], changeAfterOthers),
            ("import", [tenThousand], importFiles),
            ("import.copy", [isQuick ? 100 : 1_000], importCopies),
            ("copy", [tenThousand], copy),
            ("copy.again", [tenThousand], copyAgain),
            ("restore", [tenThousand], restore),
            ("archive", [tenThousand], archive),
            ("transfer", [100], transfer),
            ("commit.tree", [100], commitTree),
            ("commit.tree.concurrent", [1, 64], commitTreeConcurrent),
            ("replica.idle", [hundredThousand], replicaIdle),
            ("replica.publish", [hundredThousand], replicaPublish),
            ("replica.import", [tenThousand], replicaImport),
            ("replica.state", [hundredThousand], replicaState),
            ("replica.memory", [hundredThousand], replicaMemory),
            ("replica.new", [hundredThousand], replicaNewDevice),
            ("memory", [million], memory),
            ("written", [hundredThousand], written),
            ("open.cold", [isQuick ? 50 : 1_000], openCold),
            ("open.child", [hundredThousand], openChild),
            ("filestore.save", [1_000], saveFile),
            ("filestore.list", [10_000], listFiles),
            ("filestore.size", [10_000], sizeFiles),
            ("filestore.memory", [10_000], listMemory),
            // Last, because files are made slower after others were removed: see Scratch.
            ("remove.container", [tenThousand], removeContainer),
            ("remove.container.tree", [100], removeContainerTree),
            ("filestore.delete", [tenThousand], deleteFiles),
        ]
    }

    /// The number of times that a change is measured.
    var rounds: Int { isQuick ? 5 : 199 }
}
