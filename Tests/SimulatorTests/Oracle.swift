import Directory
import FileSystem
import StoreModel
import TestSupport

/// Decides whether a disk holds what its user was promised.
struct Oracle: Sendable {
    let mode: CommitMode
    /// The trees that the disk may hold.
    let allowed: [Tree]

    /// Opens the store on a disk as the next process does, performs an operation, and opens the
    /// store again.
    ///
    /// `choice`, a number of any size, decides which operation that is, in which order the
    /// collections are read, whether it is known that the last holders of the locks have ended, and
    /// whether the first process is killed or closes the store.
    ///
    /// - Returns: The index of the tree found in ``allowed``.
    /// - Throws: ``Violation``, or the error of a call that fails.
    func check(_ image: MemoryFileSystem.Image, _ choice: Int) throws -> Int {
        let disk = try MemoryFileSystem(image.buryingKeepers())
        if choice >> 18 & 1 == 1 { try disk.buryOwners(inTrash: true) }
        let visit = try firstVisit(disk, choice)
        let isKilled = choice >> 17 & 1 == 1
        let second = MemoryFileSystem(isKilled ? visit.imageBeforeClose : disk.image)
        let reopened = try Session(on: second, mode)
        let found = try reopened.tree()
        guard found == visit.expected else {
            throw Violation("it held \(visit.found), and after \(visit.operation) \(found)")
        }
        try checkFindings(reopened)
        let leftovers = second.image.leftovers
        guard leftovers.isEmpty else { throw Violation("left over: \(leftovers)") }
        return visit.number
    }

    /// What the first process found and did.
    private struct Visit {
        let found: Tree
        /// The index of the tree found in ``Oracle/allowed``.
        let number: Int
        let operation: StoreOperation
        let expected: Tree
        let imageBeforeClose: MemoryFileSystem.Image
    }

    private func firstVisit(_ disk: MemoryFileSystem, _ choice: Int) throws -> Visit {
        let store = try Session(on: disk, mode)
        var found = try store.tree(archiveFirst: choice & 1 == 1)
        guard let number = allowed.firstIndex(of: found) else {
            throw Violation("it holds \(found)")
        }
        // Whose stage it was may be unknown; on the next disk, all is older than a day.
        try checkFindings(store, accepting: [.leftoverStage])

        // A recording after a recovery uses numbers above 100.
        found.lastNumber = 200
        let operations = (Workload.simulated + StoreOperation.treeWrites).filter {
            $0.applied(to: found) != nil
        }
        let operation = operations[(choice >> 1 & 0xFFFF) % operations.count]
        try operation.step(on: found)?.perform(in: store)
        store.waitForBackground()
        let expected = operation.applied(to: found) ?? found
        return withExtendedLifetime(store) {
            Visit(
                found: found, number: number, operation: operation, expected: expected.visible,
                imageBeforeClose: disk.image)
        }
    }

    private func checkFindings(_ store: Session, accepting accepted: Set<Finding.Kind> = [])
        throws
    {
        let findings = try store.findings().filter { !accepted.contains($0.kind) }
        store.waitForBackground()
        guard findings.isEmpty else {
            throw Violation("found: \(findings.map(\.text).joined(separator: "; "))")
        }
    }
}

extension Finding {
    fileprivate var text: String { "\(kind.rawValue) \(path): \(message)" }
}
