@testable import Directory
import FileSystem
import Foundation
import TestSupport

/// Decides whether a disk holds what its user was promised.
struct Oracle: Sendable {
    let commits: Commits
    /// The worlds that the disk may hold.
    let worlds: [World]

    /// What is wrong with a disk.
    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Opens the store on a disk as the next process does, goes on with it, and opens it again.
    ///
    /// What is done in which order depends on `choice`, a number of any size.
    ///
    /// - Returns: Which of the worlds the disk holds.
    /// - Throws: ``Violation`` or what the store throws.
    func world(on image: MemoryFileSystem.Image, _ choice: Int) throws -> Int {
        let disk = MemoryFileSystem(image)
        var store: Store? = try Store(on: disk, commits)
        guard let first = store else { return 0 }
        let world = try first.world(archiveFirst: choice & 1 == 1)
        guard let number = worlds.firstIndex(of: world) else {
            throw Violation("it holds \(world)")
        }
        try check(first)

        var next = world
        next.lastNumber = 100
        let changes = Change.allCases.filter { $0.applied(to: next) != nil }
        let change = changes[(choice >> 1 & 0xFFFF) % changes.count]
        try change.make(in: first, holding: next)
        first.finish()
        next = change.applied(to: next) ?? next
        // A process that ends, or one that is killed.
        let killed = choice >> 17 & 1 == 1 ? disk.image : nil
        store = nil
        let second = MemoryFileSystem(killed ?? disk.image)
        let reopened = try Store(on: second, commits)
        let found = try reopened.world()
        guard found == next.visible else {
            throw Violation("it held \(world), and after \(change) \(found)")
        }
        try check(reopened)
        let leftovers = second.image.leftovers
        guard leftovers.isEmpty else { throw Violation("left over: \(leftovers)") }
        return number
    }

    private func check(_ store: Store) throws {
        let findings = try store.findings()
        store.finish()
        guard findings.isEmpty else {
            throw Violation("found: \(findings.map(\.description).joined(separator: "; "))")
        }
    }
}

extension Finding {
    fileprivate var description: String { "\(kind.rawValue) \(path): \(message)" }
}

extension MemoryFileSystem.Image {
    /// The names of the library's own that nobody uses any more, but for stages that no commit
    /// began with.
    fileprivate var leftovers: [String] {
        var trash: [UInt64] = []
        var found: [String] = []
        for case .folder(let entries) in contents.values {
            for (name, inode) in entries {
                if name.string == ".trash" { trash.append(inode) }
                if name.string == "intent" || name.string.hasSuffix(".tmp") {
                    found.append(name.string)
                }
            }
        }
        for inode in trash {
            if case .folder(let entries)? = contents[inode] { found += entries.keys.map(\.string) }
        }
        return found
    }
}
