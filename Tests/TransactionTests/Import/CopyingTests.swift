import DirectoryTestSupport
import Directory
import Foundation
import TestSupport
import Testing

/// Files are copied into a collection in one call: all of them, or none.
struct CopyingTests {
    let sandbox: Sandbox
    let pieces: Directory<Piece>
    let urls: [URL]

    init() throws {
        let sandbox = try Sandbox()
        self.sandbox = sandbox
        pieces = try sandbox.pieces("store")
        urls = try (0..<30).map { number in
            try sandbox.write(
                Data(repeating: UInt8(number), count: number * 1000), to: "in/\(number).bin")
        }
    }

    @Sendable private static func piece(_ staged: StagedAsset) -> Piece {
        Piece(id: Int(staged.name.dropLast(4)) ?? -1, fileName: "piece-\(staged.name)")
    }

    /// Expects that the collection has nothing, also on disk.
    private func expectNothing(at location: SourceLocation = #_sourceLocation) throws {
        #expect(pieces.isEmpty, sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
        #expect(!sandbox.exists("store/pieces"), sourceLocation: location)
        #expect(try sandbox.tree("in").count == 30, sourceLocation: location)
    }

    @Test func filesAreCopiedInTheirOrderAndSourcesStay() throws {
        let before = try sandbox.tree("in")
        let items = try pieces.insert(copying: urls.reversed(), Self.piece)
        #expect(items.map(\.id) == (0..<30).reversed())
        #expect(Array(pieces.items) == items)
        for item in items {
            let expected = Data(repeating: UInt8(item.id), count: item.id * 1000)
            #expect(try pieces.data(of: item.id) == expected)
        }
        #expect(try sandbox.tree("in") == before)
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try pieces.verify().isEmpty)
    }

    @Test func photosNeedNoClosure() throws {
        let photos = try sandbox.photos("photos")
        let inserted = try photos.insert(copying: urls)
        #expect(inserted.map(\.name) == urls.map(\.lastPathComponent))
        #expect(inserted.map(\.byteCount) == (0..<30).map { $0 * 1000 })
    }

    @Test func nothingIsCopiedIfOneSourceIsNoFile() throws {
        let link = try sandbox.makeSymbolicLink("link", to: urls[0])
        let folder = try sandbox.makeFolder("folder")
        for (url, code) in [
            (link, DirectoryError.Code.sourceNotFile), (folder, .sourceNotFile),
            (sandbox.url("none"), .sourceMissing),
        ] {
            let progress = Progress(totalUnitCount: 0)
            expectError(code) {
                try pieces.insert(copying: urls + [url], progress: progress, Self.piece)
            }
            #expect(progress.completedUnitCount == 0 && progress.totalUnitCount == 0)
            try expectNothing()
        }
    }

    @Test func sourcesThatAreNoFilesCanBeSkipped() throws {
        let folder = try sandbox.makeFolder("folder")
        let (items, skipped) = try pieces.insert(
            copyingReadable: [folder] + urls + [sandbox.url("none")], Self.piece)
        #expect(items.map(\.id) == Array(0..<30))
        #expect(skipped.map(\.url) == [folder, sandbox.url("none")])
        #expect(skipped.map(\.error.code) == [.sourceNotFile, .sourceMissing])
    }

    @Test func progressCountsBytesOfBothPartsAsOneTree() throws {
        let progress = Progress(totalUnitCount: 0)
        let total = Int64((0..<30).reduce(0) { $0 + $1 * 1000 })
        try pieces.insert(copying: urls, progress: progress) { staged in
            #expect(abs(progress.fractionCompleted - 0.5) < 0.001)
            #expect(progress.totalUnitCount == total)
            return Self.piece(staged)
        }
        #expect(progress.completedUnitCount == total)
        #expect(progress.isFinished)
    }

    @Test func cancelledImportLeavesNothing() throws {
        let progress = Progress(totalUnitCount: 0)
        #expect(throws: CancellationError.self) {
            try pieces.insert(copying: urls, progress: progress) { staged in
                if staged.name == "20.bin" { progress.cancel() }
                return Self.piece(staged)
            }
        }
        try expectNothing()
        let cancelled = Progress(totalUnitCount: 0)
        cancelled.cancel()
        #expect(throws: CancellationError.self) {
            try pieces.insert(copying: urls, progress: cancelled, Self.piece)
        }
        try expectNothing()
    }

    @Test func cancelledTaskLeavesNothing() async throws {
        let (pieces, urls) = (pieces, urls)
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await pieces.insert(copying: urls, Self.piece)
            }.value
        }
        try expectNothing()
    }

    @Test func failedCopyOfSeveralFilesLeavesTheStageAsItWas() throws {
        let stage = try pieces.makeStage()
        try stage.write(Data("a".utf8), name: "100.bin")
        let tree = try sandbox.tree("store")
        let cancelled = Progress(totalUnitCount: 0)
        cancelled.cancel()
        #expect(throws: CancellationError.self) { try stage.copy(urls, progress: cancelled) }
        #expect(try sandbox.tree("store") == tree)
        try stage.copy(urls)
        #expect(try pieces.insert(stage, Self.piece).map(\.id) == [100] + Array(0..<30))
    }

    @Test func asyncCallsDoTheSame() async throws {
        let photos = try sandbox.photos("photos")
        let copied = try await photos.insert(copying: urls)
        let one = try await photos.insert(Data("one".utf8), name: "one.txt")
        let two = try await photos.insert([Data("a".utf8), Data("b".utf8)])
        let staged = try await photos.insert(StagedAsset(Data("c".utf8), name: "c"))
        let many = try await photos.insert([StagedAsset(Data("d".utf8)), StagedAsset(Data())])
        let stage = try await photos.makeStage()
        let files = try await [
            stage.write(Data("e".utf8)), stage.copy(urls[3]), stage.move(urls[4]),
            stage.move(StagedAsset(Data("f".utf8))),
        ]
        try await stage.copy([urls[5], urls[6]])
        let inserted = try await photos.insert(stage)
        #expect(inserted.count == files.count + 2)
        #expect(Array(photos.items) == copied + [one] + two + [staged] + many + inserted)
        let replaced = try await photos.replaceFile(of: one.id, copying: urls[7])
        #expect(photos[id: one.id] == replaced)
        #expect(try await photos.verify().isEmpty)
        #expect(!sandbox.exists("in/4.bin"))
    }

    @Test(arguments: [0, 100])
    func progressEndsWithoutBytes(_ total: Int64) throws {
        let empty = try sandbox.write("", to: "empty")
        let progress = (0..<4).map { _ in Progress(totalUnitCount: total) }
        try pieces.insert(copying: [], progress: progress[0], Self.piece)
        try pieces.insert(copying: [empty], progress: progress[1]) { _ in
            Piece(id: 1, fileName: "1")
        }
        let stage = try pieces.makeStage()
        try stage.copy([], progress: progress[2])
        try stage.write(Data("unused".utf8))
        try pieces.write(importing: stage, progress: progress[3]) { _, _ in }
        #expect(progress.map(\.isFinished) == [true, true, true, true])
    }

    /// It is finished once, at the end: not by a copy that something follows.
    @Test(arguments: [true, false])
    func copiesAndTheInsertOfAStageShareAProgress(insertCounts: Bool) throws {
        let progress = Progress(totalUnitCount: 0)
        let sizes = (0..<30).map { $0 * 1000 }
        let stage = try pieces.makeStage()
        try stage.copy(Array(urls[..<10]), progress: progress)
        #expect(progress.completedUnitCount == Int64(sizes[..<10].reduce(0, +) / 2))
        try stage.copy(urls[10], progress: progress)
        _ = try stage.copy(readable: Array(urls[11...]), progress: progress)
        #expect(progress.fractionCompleted == 0.5 && !progress.isFinished)
        let shared = insertCounts ? progress : nil
        expectError(.nameTaken) {
            try pieces.insert(stage, progress: shared) { staged in
                Piece(id: Self.piece(staged).id, fileName: "same")
            }
        }
        #expect(abs(progress.fractionCompleted - 0.5) < 0.001 && !progress.isFinished)
        try pieces.write(importing: stage, progress: shared) { draft, assets in
            #expect(abs(progress.fractionCompleted - 0.5) < 0.001)
            for asset in assets { try draft.append(Self.piece(asset), file: asset) }
        }
        #expect(progress.isFinished && progress.fractionCompleted == 1)
        #expect(progress.completedUnitCount == Int64(sizes.reduce(0, +)))
    }

    /// Only the progress of the copies has counted half before.
    @Test func insertOfAStageCanHaveItsOwnProgress() throws {
        let (ofCopies, ofInsert) = (Progress(totalUnitCount: 0), Progress(totalUnitCount: 0))
        let stage = try pieces.makeStage()
        try stage.copy(urls, progress: ofCopies)
        try pieces.write(importing: stage, progress: ofInsert) { draft, assets in
            #expect(ofInsert.fractionCompleted == 0 && ofCopies.fractionCompleted == 0.5)
            for asset in assets { try draft.append(Self.piece(asset), file: asset) }
        }
        #expect(ofInsert.isFinished && ofCopies.isFinished)
    }

    @Test func progressCanBeUsedAgain() throws {
        let progress = Progress(totalUnitCount: 0)
        expectError(.nameTaken) {
            try pieces.insert(copying: urls, progress: progress) { staged in
                Piece(id: Self.piece(staged).id, fileName: "same")
            }
        }
        #expect(abs(progress.fractionCompleted - 0.5) < 0.001)
        try pieces.insert(copying: urls, progress: progress, Self.piece)
        #expect(progress.isFinished && progress.fractionCompleted == 1)
        #expect(progress.completedUnitCount == (0..<30).reduce(0) { $0 + $1 * 1000 })
    }

    @Test func filesAreCopiedWhileAnotherProgressIsCurrent() throws {
        let current = Progress(totalUnitCount: 1)
        current.becomeCurrent(withPendingUnitCount: 1)
        defer { current.resignCurrent() }
        let progress = Progress.discreteProgress(totalUnitCount: 0)
        try pieces.insert(copying: urls, progress: progress, Self.piece)
        #expect(progress.isFinished)
    }
}
