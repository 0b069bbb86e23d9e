import Directory
import DirectoryReplicas
import Foundation
import TestSupport
import Testing

/// How long syncs take with many items, on a real disk; the times are printed, and must not be far from the targets.
@Suite(.serialized, .enabled(if: TestSize.current != .sample)) struct SpeedTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func device(_ name: String) throws -> (notes: Directory<Note>, replica: Replica) {
        let notes = try Directory<Note>(
            at: folder.url.appending(path: name), index: "notes.json")
        return (notes, try Replica(of: notes, in: folder.url.appending(path: "shared")))
    }

    private func measure(_ what: String, limit: Duration, _ body: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try body()
        let time = ContinuousClock.now - start
        print("speed: \(what): \(time)")
        #expect(time < limit, "\(what)")
    }

    @Test func manyItems() throws {
        let a = try device("a")
        let items = (0..<100_000).map { number in
            var note = Note(text: "A line of text about something, with the number \(number)")
            note.mark = "mark \(number)"
            return note
        }
        try a.notes.append(contentsOf: items)
        try measure("first publish of 100,000 items", limit: .seconds(60)) { try a.replica.sync() }
        let b = try device("b")
        try measure("new device with 100,000 items", limit: .seconds(60)) { try b.replica.sync() }
        #expect(b.notes.count == 100_000)
        try b.replica.sync()
        try a.replica.sync()
        try measure("nothing to do", limit: .milliseconds(500)) { try a.replica.sync() }
        try a.notes.update(id: items[50_000].id) { $0.text = "one change" }
        try measure("publish one change of 100,000 items", limit: .seconds(1)) {
            try a.replica.sync()
        }
        try b.replica.sync()
        try a.notes.write { draft in
            for item in items.prefix(10_000) {
                try draft.update(id: item.id) { $0.text = "changed \(item.text)" }
            }
        }
        try measure("publish 10,000 changes", limit: .seconds(20)) { try a.replica.sync() }
        try measure("import 10,000 changes", limit: .seconds(20)) { try b.replica.sync() }
        #expect(b.notes.items.prefix(10_000).allSatisfy { $0.text.hasPrefix("changed") })
        for name in ["notes.json", ".notes.replica"] {
            let url = folder.url.appending(path: "b/\(name)")
            let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            print("speed: size of \(name): \(size)")
        }
        let again = try device("a")
        try measure("first sync of a new process", limit: .seconds(60)) {
            try again.replica.sync()
        }
    }
}
