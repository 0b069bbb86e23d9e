import DirectoryTestSupport
import Directory
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// An insert of a stage is all or nothing, and can be tried again after a failure.
struct ImportTests {
    let sandbox: Sandbox
    let pieces: Directory<Piece>

    init() throws {
        sandbox = try Sandbox()
        pieces = try sandbox.pieces("store")
    }

    /// A stage with one file that was written and two files to be moved.
    private func makeStage() throws -> Stage {
        let stage = try pieces.makeStage()
        try stage.write(Data("a".utf8), name: "a")
        try stage.move(sandbox.write("b", to: "b"))
        try stage.move(sandbox.write("c", to: "c"))
        return stage
    }

    @Sendable private static func piece(_ staged: StagedAsset) -> Piece {
        Piece(id: Int(staged.name.utf8.first ?? 0), fileName: "piece-\(staged.name)")
    }

    /// Expects that `insert` fails with `code` and changes nothing, and that the same stage can be
    /// inserted afterwards.
    private func expectNothing(
        of stage: Stage, but code: DirectoryError.Code,
        at location: SourceLocation = #_sourceLocation, _ insert: (Stage) throws -> Void
    ) throws {
        let (tree, assets) = try (sandbox.tree(), stage.assets)
        expectError(code, sourceLocation: location) { try insert(stage) }
        try expectUntouched(tree, assets, stage, location)
    }

    private func expectUntouched(
        _ tree: [String: Sandbox.Entry], _ assets: [StagedAsset], _ stage: Stage,
        _ location: SourceLocation
    ) throws {
        let after = try sandbox.tree().filter { !Self.mayBeNew($0.key) }
        #expect(
            after == tree.filter { !Self.mayBeNew($0.key) }, sourceLocation: location)
        #expect(stage.assets == assets, sourceLocation: location)
        let inserted = try pieces.insert(stage, Self.piece)
        #expect(
            try inserted.map { try pieces.data(of: $0.id) }
                == ["a", "b", "c"].map { Data($0.utf8) },
            sourceLocation: location)
        #expect(!sandbox.exists("b") && !sandbox.exists("c"), sourceLocation: location)
        #expect(try pieces.verify().isEmpty, sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
    }

    /// Whether a failed insert may have made `path`: the lock file or the empty assets folder.
    private static func mayBeNew(_ path: String) -> Bool {
        ["store/.pieces.lock", "store/pieces"].contains(path)
    }

    struct Refusal: Error {}

    @Test func errorOfTheClosureIsThrownAndNothingChanges() throws {
        let stage = try makeStage()
        let (tree, assets) = try (sandbox.tree(), stage.assets)
        #expect(throws: Refusal.self) {
            try pieces.insert(stage) { staged in
                if staged.name == "c" { throw Refusal() }
                return Self.piece(staged)
            }
        }
        try expectUntouched(tree, assets, stage, #_sourceLocation)
    }

    @Test func nameOfAnotherItemIsTaken() throws {
        let first = try pieces.makeStage()
        try first.write(Data(), name: "x")
        try pieces.insert(first, Self.piece)
        for name in ["piece-x", "PIECE-X"] {
            try expectNothing(of: makeStage(), but: .nameTaken) { stage in
                try pieces.insert(stage) { staged in
                    staged.name == "b" ? Piece(id: 0, fileName: name) : Self.piece(staged)
                }
            }
            try pieces.write { draft in for id in [97, 98, 99] { try draft.remove(id: id) } }
            try pieces.checkpoint()
        }
    }

    @Test(arguments: ["a", "b", "c"]) func nameOfAnUnknownFileIsTaken(_ name: String) throws {
        let stage = try makeStage()
        try sandbox.write("mine", to: "store/pieces/piece-\(name)")
        let (tree, assets) = try (sandbox.tree(), stage.assets)
        expectError(.nameTaken) { try pieces.insert(stage, Self.piece) }
        #expect(try sandbox.text("store/pieces/piece-\(name)") == "mine")
        #expect(try sandbox.tree().filter { $0.key != "store/.pieces.lock" } == tree)
        #expect(pieces.isEmpty)
        try sandbox.remove("store/pieces/piece-\(name)")
        try expectUntouched(
            tree.filter { $0.key != "store/pieces/piece-\(name)" }, assets, stage, #_sourceLocation)
    }

    @Test func twoFilesCannotHaveOneName() throws {
        try expectNothing(of: makeStage(), but: .nameTaken) { stage in
            try pieces.insert(stage) { Piece(id: Self.piece($0).id, fileName: "same") }
        }
    }

    @Test(arguments: ["", "../x", "/etc/x", "a/b", ".hidden", "a\0b", "."])
    func invalidNameIsRefused(_ name: String) throws {
        try expectNothing(of: makeStage(), but: .invalidName) { stage in
            try pieces.insert(stage) { Piece(id: Self.piece($0).id, fileName: name) }
        }
    }

    @Test func duplicateIDIsRefused() throws {
        try expectNothing(of: makeStage(), but: .duplicateID) { stage in
            try pieces.insert(stage) { Piece(id: 0, fileName: $0.name) }
        }
    }

    @Test(arguments: 0...2) func importCancelledAtAnyFileChangesNothing(_ step: Int) throws {
        let stage = try makeStage()
        let (tree, assets) = try (sandbox.tree(), stage.assets)
        #expect(throws: CancellationError.self) {
            try pieces.insert(stage, progress: CancelledProgress(afterChecks: step), Self.piece)
        }
        try expectUntouched(tree, assets, stage, #_sourceLocation)
    }

    @Test func progressCountsBytes() throws {
        let progress = Progress(totalUnitCount: 0)
        let stage = try makeStage()
        try stage.write(Data(count: 5000), name: "d")
        try pieces.insert(stage, progress: progress, Self.piece)
        #expect(progress.totalUnitCount == 5003)
        #expect(progress.completedUnitCount == 5003)
        #expect(progress.isFinished)
    }

    @Test func cancelledTaskImportsNothing() async throws {
        let stage = try makeStage()
        let (tree, assets) = try (sandbox.tree(), stage.assets)
        let pieces = pieces
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await pieces.insert(stage, Self.piece)
            }.value
        }
        try expectUntouched(tree, assets, stage, #_sourceLocation)
    }

    @Test func taskCancelledDuringTheImportChangesNothing() async throws {
        let stage = try makeStage()
        let (tree, assets) = try (sandbox.tree(), stage.assets)
        let pieces = pieces
        let (imports, importing) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await pieces.insert(stage) { staged in
                if staged.name == "b" {
                    importing.finish()
                    isCancelled.wait()
                }
                return Self.piece(staged)
            }
        }
        for await _ in imports {}
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        try expectUntouched(tree, assets, stage, #_sourceLocation)
    }
}

/// A progress that is cancelled after it was checked a number of times.
private final class CancelledProgress: Progress, @unchecked Sendable {
    private let checks = Atomic(0)
    private let limit: Int

    init(afterChecks limit: Int) {
        self.limit = limit
        super.init(parent: nil, userInfo: nil)
    }

    override var isCancelled: Bool {
        get { checks.wrappingAdd(1, ordering: .relaxed).oldValue >= limit }
        set {}
    }
}
