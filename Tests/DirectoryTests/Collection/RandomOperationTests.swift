import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// Random changes of a collection and of an array have the same outcome, in memory and on disk.
struct RandomOperationTests {
    let sandbox: Sandbox
    let notes: Directory<Note>

    init() throws {
        sandbox = try Sandbox()
        notes = try Directory(
            at: sandbox.url, index: "notes.json", options: .init(durability: .relaxed))
    }

    @Test func collectionEqualsAnArrayAfterEachRandomChange() async throws {
        var random = SeededGenerator()
        var model: [Note] = []
        var snapshots: [(taken: Directory<Note>.Items, model: [Note])] = []
        for step in 0..<TestSize.choose(sample: 80, gate: 600, full: 6_000) {
            snapshots.append((notes.items, model))
            let edits = (0..<Int.random(in: 1...3, using: &random)).reduce(into: [Edit]()) {
                edits, _ in
                let current = (try? outcome(of: edits, on: model).get()) ?? model
                edits.append(.random(of: current, by: &random))
            }
            let isAsync = Bool.random(using: &random)
            let expected = outcome(of: edits, on: model)
            let actual = await outcome(of: edits, isAsync: isAsync)
            #expect(actual == expected, "\(random), step \(step), \(edits)")
            model = (try? expected.get()) ?? model
            #expect(Array(notes.items) == model, "\(random), step \(step)")
            #expect(
                try sandbox.notesOnDisk() == model, "\(random), step \(step)")
        }
        for (taken, model) in snapshots {
            #expect(Array(taken) == model)
            #expect(model.enumerated().allSatisfy { taken.index(of: $1.id) == $0 })
        }
    }

    private func outcome(of edits: [Edit], on model: [Note]) -> Result<[Note], Edit.Refusal> {
        edits.reduce(.success(model)) { result, edit in
            result.flatMap { edit.applied(to: $0) }
        }
    }

    /// Applies one edit as a change of its own, several edits as one write.
    private func outcome(of edits: [Edit], isAsync: Bool) async -> Result<[Note], Edit.Refusal> {
        do {
            switch (edits.count, isAsync) {
            case (1, false): try notes.applyNow(edits[0])
            case (1, true): try await edits[0].apply(to: notes)
            case (_, false): try notes.applyNow(edits)
            case (_, true):
                try await notes.write { draft in
                    for edit in edits { try edit.apply(to: &draft) }
                }
            }
            return .success(Array(notes.items))
        } catch let error as DirectoryError {
            return .failure(Edit.Refusal(error.code))
        } catch {
            Issue.record(error)
            return .success([])
        }
    }
}

extension Directory<Note> {
    fileprivate func applyNow(_ edits: [Edit]) throws {
        try write { draft in for edit in edits { try edit.apply(to: &draft) } }
    }
}
