import Directory
import FileSystem
import StoreModel

/// Decides whether a disk holds what its user was promised.
struct Oracle: Sendable {
    let mode: CommitMode
    /// The contents that the disk may have.
    let allowed: [StoreContents]

    /// What is wrong with a disk.
    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Opens the store on a disk as the next process does, performs an operation, and opens the
    /// store again.
    ///
    /// `choice`, a number of any size, decides which operation that is and in which order the
    /// collections are read.
    ///
    /// - Returns: The index of the contents found in ``allowed``.
    /// - Throws: ``Violation``, or the error of a call that fails.
    func check(_ image: MemoryFileSystem.Image, _ choice: Int) throws -> Int {
        let disk = MemoryFileSystem(image)
        var store: Store? = try Store(on: disk, mode)
        guard let first = store else { return 0 }
        let contents = try first.contents(archiveFirst: choice & 1 == 1)
        guard let number = allowed.firstIndex(of: contents) else {
            throw Violation("it holds \(contents)")
        }
        try checkFindings(first)

        var next = contents
        next.lastNumber = 100
        let operations = Workload.simulated.filter { $0.applied(to: next) != nil }
        let operation = operations[(choice >> 1 & 0xFFFF) % operations.count]
        try operation.perform(in: first, holding: next)
        first.waitForCleanup()
        next = operation.applied(to: next) ?? next
        // The process is killed, or else it closes the store before it ends.
        let killed = choice >> 17 & 1 == 1 ? disk.image : nil
        store = nil
        let second = MemoryFileSystem(killed ?? disk.image)
        let reopened = try Store(on: second, mode)
        let found = try reopened.contents()
        guard found == next.visible else {
            throw Violation("it held \(contents), and after \(operation) \(found)")
        }
        try checkFindings(reopened)
        let leftovers = second.image.leftovers
        guard leftovers.isEmpty else { throw Violation("left over: \(leftovers)") }
        return number
    }

    private func checkFindings(_ store: Store) throws {
        let findings = try store.findings()
        store.waitForCleanup()
        guard findings.isEmpty else {
            throw Violation("found: \(findings.map(\.text).joined(separator: "; "))")
        }
    }
}

extension Finding {
    fileprivate var text: String { "\(kind.rawValue) \(path): \(message)" }
}
