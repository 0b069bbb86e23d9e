import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Containers whose folder names are their ids, so that nobody can give them other ones.
@Suite struct FixedNameTests {
    private struct Box: Container {
        var id: String
    }

    private let clock = TestClock()
    private let disk = MemoryFileSystem()

    private func open(_ name: String, seed: UInt64) throws -> (Directory<Box>, Replica) {
        let boxes = try Directory<Box>(
            at: URL(filePath: "/\(name)", directoryHint: .isDirectory), index: "boxes.json",
            on: ProcessFileSystem(disk))
        let replica = try Replica(
            root: boxes, in: URL(filePath: "/shared", directoryHint: .isDirectory), on: disk,
            children: [Child.notes.replicated()], options: .init(),
            environment: clock.environment(seed: seed))
        return (boxes, replica)
    }

    /// Each device shows its own one, and all else goes on.
    @Test func idsThatDifferInCaseStopNothingElse() throws {
        let ((a, first), (b, second)) = try (open("a", seed: 1), open("b", seed: 2))
        func sync() throws {
            for _ in 0..<3 {
                for replica in [first, second] { try replica.sync() }
                clock.advance(5)
            }
        }
        try a.append(Box(id: "moon"))
        try b.append(Box(id: "Moon"))
        try b.child(.notes, of: "Moon").append(Note(text: "of b"))
        try sync()
        try a.append(Box(id: "sun"))
        try sync()
        for (boxes, replica, own) in [(a, first, "moon"), (b, second, "Moon")] {
            #expect(boxes.items.map(\.id) == [own, "sun"])
            #expect(replica.unreadableItems.count == 1)
            #expect(try replica.sync().published == 0)
        }
        try a.remove(id: "moon")
        try sync()
        for boxes in [a, b] {
            #expect(boxes.items.map(\.id) == ["Moon", "sun"])
            #expect(try boxes.child(.notes, of: "Moon").loaded().map(\.text) == ["of b"])
        }
    }
}
