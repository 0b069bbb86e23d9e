import FileSystem
import Foundation
import TestSupport
import Testing

/// After any operations, both file systems give the same results and have the same contents.
struct RandomOperationTests {
    private static let seeds = {
        let first = SeededGenerator().seed
        return (0..<TestSize.choose(sample: 1, gate: 6, full: 200)).map { first &+ $0 }
    }()

    @Test(arguments: seeds)
    func bothFileSystemsBehaveAlike(_ seed: UInt64) throws {
        try Conformer.local.withFolder { files, root in
            var local = OperationRunner(files, root: root)
            try Conformer.memory.withFolder { files, root in
                var memory = OperationRunner(files, root: root)
                try compare(&local, &memory, SeededChoices(seed: seed))
            }
        }
    }

    private func compare(
        _ local: inout OperationRunner, _ memory: inout OperationRunner,
        _ operations: SeededChoices
    ) throws {
        let repeating =
            "DIRECTORY_TEST_SEED=\(operations.seed) swift test --filter RandomOperationTests"
        var operations = operations
        for number in 1...1_000 {
            let operation = Operation.random(using: &operations)
            let (first, second) = try (local.perform(operation), memory.perform(operation))
            try #require(first == second, "operation \(number), \(operation); \(repeating)")
            guard number.isMultiple(of: 100) else { continue }
            let (expected, tree) = try (local.tree(), memory.tree())
            try #require(tree == expected, "tree after operation \(number); \(repeating)")
        }
    }
}

/// The random choices of one seed.
struct SeededChoices {
    let seed: UInt64
    private var generator: SeededGenerator

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
    }

    mutating func number(in range: Range<Int>) -> Int { .random(in: range, using: &generator) }

    mutating func number(below end: Int) -> Int { number(in: 0..<end) }

    mutating func name(_ names: [FileName]) -> FileName { names[number(below: names.count)] }

    /// The slot of a folder, or rarely that of a file.
    mutating func folder() -> Int {
        number(in: number(below: 16) == 0 ? Operation.fileSlots : Operation.folderSlots)
    }

    /// The slot of a file, or rarely that of a folder.
    mutating func file() -> Int {
        number(in: number(below: 16) == 0 ? Operation.folderSlots : Operation.fileSlots)
    }

    /// The slot of a folder that is not the first one.
    mutating func freeFolder() -> Int { number(in: Operation.folderSlots.dropFirst()) }

    /// An offset or a number of bytes: zero, a few bytes, or some pages.
    mutating func offset() -> Int { number(below: [1, 20, 10_000][number(below: 3)]) }
}
