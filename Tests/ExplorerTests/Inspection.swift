import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport

/// The last opening of a tree, which must find all that was promised and nothing else.
struct Inspection {
    private(set) var disk: MemoryFileSystem
    let mode: CommitMode
    /// What the second process did.
    let second: Operation
    /// Whether a power loss may have taken the file that names the owner of a stage.
    let hasLostPower: Bool
    /// A number of any size: the order in which the tree is read.
    let choice: UInt64

    mutating func check(_ expectation: Expectation) throws {
        var expectation = expectation
        if second.editedIndex != nil, try endConflict() {
            expectation.hadConflict = true
            expectation.second = expectation.second.doubted
        }
        if second == .missFolder { try giveFolderToItsProject() }
        let endings = "first: \(expectation.first), second: \(expectation.second)"
        do {
            let trees = expectation.trees
            guard !trees.isEmpty else { throw Violation("no order explains this") }
            try checkCopy(expectation)
            try checkCopyByHand(expectation)
            try check(trees, inOrder: !expectation.hadConflict)
        } catch {
            throw Violation("\(error); \(endings)")
        }
    }

    /// Checks that the disk holds one of `trees`; unless `isInOrder`, with the projects in any order.
    private mutating func check(_ trees: Set<Tree>, inOrder isInOrder: Bool) throws {
        var session = try session
        if choice & 1 == 1 { try verify(session, accepting: hasLostPower ? [.leftoverStage] : []) }
        let tree = try session.tree(archiveFirst: choice & 2 == 2)
        guard trees.contains(where: { isInOrder ? $0 == tree : $0.sorted == tree.sorted }) else {
            let expected = trees.map(\.description).sorted().joined(separator: " or ")
            throw Violation("it holds \(tree) and not \(expected)")
        }
        if hasLostPower {
            // Recovery can have given files back to a stage whose owner nobody knows.
            session.waitForBackground()
            disk = disk.aDayLater
            session = try self.session
            _ = try session.tree(archiveFirst: false)
        }
        let leftByHand = try verify(session)
        session.waitForBackground()
        try checkFiles(of: tree, exceptIn: leftByHand)
        try session.changeAll()
        session.waitForBackground()
    }

    var session: Session {
        get throws {
            // No other process is left: a lock is only held by a thread of this one, for a moment.
            try Session(on: ProcessFileSystem(disk), mode, lockTimeout: .seconds(5))
        }
    }

    /// Checks that nothing is found but what a person has left.
    ///
    /// - Returns: The paths of what a person has left.
    @discardableResult
    func verify(_ session: Session, accepting accepted: Set<Finding.Kind> = []) throws -> [String] {
        let all = try session.findings()
        let findings = all.filter { !accepted.contains($0.kind) && !isLeftByHand($0) }
        guard findings.isEmpty else {
            let texts = findings.map { "\($0.kind.rawValue) \($0.path)" }
            throw Violation("found: \(texts.joined(separator: "; "))")
        }
        return all.filter(isLeftByHand).map(\.path)
    }

    /// Checks that each photograph has one file, and that nothing temporary is left but in the folders at `paths`, which no
    /// item has.
    private func checkFiles(of tree: Tree, exceptIn paths: [String]) throws {
        let found = try Found(below: "/store", on: disk)
        let leftovers = found.leftovers.filter { leftover in
            !paths.contains { leftover.hasPrefix($0 + "/") }
        }
        guard leftovers.isEmpty else { throw Violation("left over: \(leftovers.sorted())") }
        guard found.photos.sorted() == tree.files.sorted() else {
            throw Violation(
                "the files are \(found.photos.sorted()), the items \(tree.files.sorted())")
        }
    }
}

extension Tree {
    /// The same with the projects in the order of their ids.
    fileprivate var sorted: Tree {
        var tree = self
        tree.projects.sort { $0.box.id < $1.box.id }
        return tree
    }
}

extension MemoryFileSystem {
    /// The same disk when all on it is older than a day.
    fileprivate var aDayLater: MemoryFileSystem { MemoryFileSystem(image) }
}
