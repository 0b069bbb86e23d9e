import DirectoryTestSupport
import Directory
import Foundation
import Observation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Code of the user that runs while a collection is locked, and code that it starts.
struct NestedWriteTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// An item whose code does what a test sets for its title.
    struct Nosy: Container, Asset {
        enum Place: CaseIterable { case decode, encode, folderName, fileName }

        static let hooks = Mutex<[String: @Sendable (Place) -> Void]>([:])

        var id: Int
        var title: String

        var folderName: String {
            visit(.folderName)
            return "Folder \(id)"
        }

        var fileName: String {
            visit(.fileName)
            return "file\(id)"
        }

        private enum CodingKeys: String, CodingKey { case id, title }

        init(id: Int, title: String) {
            self.id = id
            self.title = title
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            title = try container.decode(String.self, forKey: .title)
            visit(.decode)
        }

        func encode(to encoder: any Encoder) throws {
            visit(.encode)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(title, forKey: .title)
        }

        private func visit(_ place: Place) { Self.hooks.withLock { $0[title] }?(place) }
    }

    /// Opens a collection, and calls `body` each time that code of its items runs at `place`.
    private func nosy(
        _ title: String, at place: Nosy.Place,
        _ body: @escaping @Sendable (Directory<Nosy>) throws -> Void
    ) throws -> (Directory<Nosy>, outcomes: @Sendable () -> [DirectoryError.Code?]) {
        for id in 0..<3 { try sandbox.write("asset", to: "nosy/file\(id)") }
        let items = try Directory<Nosy>(at: sandbox.url, index: "nosy.json")
        let outcomes = Outcomes()
        Nosy.hooks.withLock {
            $0[title] = { [weak items] found in
                guard found == place, let items else { return }
                do {
                    try body(items)
                    outcomes.add(nil)
                } catch {
                    outcomes.add((error as? DirectoryError)?.code)
                }
            }
        }
        return (items, { outcomes.all })
    }

    private final class Outcomes: Sendable {
        private let codes = Mutex<[DirectoryError.Code?]>([])
        var all: [DirectoryError.Code?] { codes.withLock(\.self) }
        func add(_ code: DirectoryError.Code?) { codes.withLock { $0.append(code) } }
    }

    @Test(arguments: Nosy.Place.allCases, [true, false])
    func codeOfAnItemCanNeitherLoadNorChangeItsCollection(_ place: Nosy.Place, _ loads: Bool) throws
    {
        let title = UUID().uuidString
        let (items, outcomes) = try nosy(title, at: place) { items in
            if loads { try items.load() } else { try items.remove(id: 0) }
        }
        try items.append(Nosy(id: 0, title: title))
        try items.append(contentsOf: [Nosy(id: 1, title: title), Nosy(id: 2, title: title)])
        try items.update(id: 1) { _ in }
        // As many lines as several threads decode.
        let lines = (0..<2000).map { #"{"id":\#($0),"title":"\#(title)"}"# }
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "nosy.json")
        try items.load()
        #expect(items.count == 2000)
        #expect(!outcomes().isEmpty)
        #expect(outcomes().allSatisfy { $0 == .nestedWrite })
    }

    @Test func codeOfAnItemCannotChangeACollectionWhoseWriteReadsAnother() throws {
        let title = UUID().uuidString
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        let (items, outcomes) = try nosy(title, at: .decode) { _ in try notes.append(.milk) }
        try items.append(Nosy(id: 0, title: title))
        try sandbox.write(#"[{"id":0,"title":"\#(title)"}]"#, to: "nosy.json")
        try notes.write { draft in
            try items.load()
            try draft.append(.eggs)
        }
        #expect(outcomes() == [.nestedWrite])
        #expect(Array(notes.items) == [.eggs])
    }

    @Test func codeOfAnItemThatIsTransferredCanChangeNeitherCollection() throws {
        let title = UUID().uuidString
        let others = try Directory<Nosy>(at: sandbox.url("others"), index: "nosy.json")
        let (items, outcomes) = try nosy(title, at: .decode) { _ in try others.load() }
        // The transfer decodes what another program wrote into both.
        try sandbox.write(#"[{"id":0,"title":"\#(title)"}]"#, to: "nosy.json")
        try sandbox.write(#"[{"id":1,"title":"\#(title)"}]"#, to: "others/nosy.json")
        try items.transfer([0], to: others)
        #expect(outcomes().contains(.nestedWrite))
        #expect(others.items.map(\.id) == [1, 0])
    }

    @Test func writesThatLoadEachOthersCollectionDoNotWaitForEver() throws {
        let options = DirectoryOptions(lockTimeout: .milliseconds(100))
        let collections = try ["a.json", "b.json"].map {
            try Directory<Note>(at: sandbox.url, index: $0, options: options)
        }
        let arrived = Atomic(0)
        let codes = Outcomes()
        onAllCores([0, 1]) { index in
            do {
                try collections[index].write { draft in
                    arrived.add(1, ordering: .sequentiallyConsistent)
                    while arrived.load(ordering: .sequentiallyConsistent) < 2 {}
                    try collections[1 - index].load()
                    try draft.append(.eggs)
                }
                codes.add(nil)
            } catch {
                codes.add((error as? DirectoryError)?.code)
            }
        }
        #expect(codes.all.count == 2 && codes.all.allSatisfy { $0 == nil || $0 == .locked })
        #expect(codes.all.contains(.locked))
    }

    @Test func observerOfThePhaseCanLoadAndChangeOnItsFirstChange() throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        let codes = Outcomes()
        let isFirst = Atomic(true)
        withObservationTracking {
            _ = notes.phase
        } onChange: {
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            do {
                try notes.load()
                try notes.append(.eggs)
                codes.add(nil)
            } catch {
                codes.add((error as? DirectoryError)?.code)
            }
        }
        try notes.append(.milk)
        #expect(codes.all == [nil])
        #expect(Set(notes.items) == [.eggs, .milk])
    }

    private struct Failure: Error {}

    @Test(arguments: [true, false]) func taskBegunInsideAWriteCanLoadAndChangeLater(
        _ fails: Bool
    ) async throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        let others = try Directory<Note>(at: sandbox.url, index: "others.json")
        let begin = AsyncStream.makeStream(of: Void.self)
        let task = beginTask(in: notes, fails: fails) {
            for await _ in begin.stream {}
            try load(notes)
            try append(.milk, to: notes)
            try append(.milk, to: others)
            try await notes.append(.salt)
        }
        begin.continuation.finish()
        try await task?.value
        #expect(notes.items.map(\.id) == (fails ? [] : [1]) + [2, 3])
        #expect(others.count == 1)
    }

    @Test func taskBegunInsideAWriteWaitsForTheCommit() async throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        let task = beginTask(in: notes, fails: false) { try append(.milk, to: notes) }
        try await task?.value
        #expect(notes.items.map(\.id) == [1, 2])
    }

    /// Begins a task inside a write, which then fails or not.
    private func beginTask(
        in notes: Directory<Note>, fails: Bool,
        _ work: @escaping @Sendable () async throws -> Void
    ) -> Task<Void, any Error>? {
        var task: Task<Void, any Error>?
        do {
            try notes.write { draft in
                try draft.append(.eggs)
                task = Task(operation: work)
                if fails { throw Failure() }
            }
        } catch is Failure {
        } catch {
            Issue.record(error)
        }
        return task
    }
}

/// Loads on this thread.
private func load(_ notes: Directory<Note>) throws { try notes.load() }

/// Appends on this thread.
private func append(_ note: Note, to notes: Directory<Note>) throws { try notes.append(note) }
