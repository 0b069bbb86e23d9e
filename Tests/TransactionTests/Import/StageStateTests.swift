import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// A stage is open, being inserted, or closed.
struct StageStateTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
    }

    private func stage(of photos: Directory<Photo>, _ count: Int = 1) throws -> Stage {
        let stage = try photos.makeStage()
        for number in 0..<count { try stage.write(Data("photo \(number)".utf8)) }
        return stage
    }

    private struct Refusal: Error {}

    @Test func stageInsertedTwiceInTurnLeavesNoFolder() throws {
        let stage = try stage(of: photos)
        try photos.insert(stage)
        expectError(.stageClosed) { try photos.insert(stage) }
        #expect(try sandbox.leftovers().isEmpty)
        #expect(photos.count == 1)
    }

    /// Whether a file synced later is whole, nobody knows.
    @Test func aFailedSyncClosesAStageAlsoWhileTheImportIsCancelled() throws {
        let progress = Progress(totalUnitCount: -1)
        let syncs = Mutex(0)
        let process = ProcessFileSystem(LocalFileSystem()) { _, line in
            guard line.hasPrefix("sync"), line.contains("/.staging/photos~") else { return .works }
            let number = syncs.withLock { number in
                number += 1
                return number
            }
            guard number == 1 else {
                progress.cancel()
                return .works
            }
            while !progress.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
            // The step of another thread says that it is cancelled.
            Thread.sleep(forTimeInterval: 0.05)
            return .fails(.ioError)
        }
        let photos = try Directory<Photo>(
            at: sandbox.url("cancelled"), index: "photos.json", on: process)
        let stage = try stage(of: photos, 24)
        #expect(throws: (any Error).self) { try photos.insert(stage, progress: progress) }
        expectError(.stageClosed) { try photos.insert(stage) }
    }

    @Test func aStageWhoseFileCannotBeOpenedCanBeInsertedLater() throws {
        let isRefused = Mutex(true)
        let process = ProcessFileSystem(LocalFileSystem()) { _, line in
            line.hasPrefix("open") && line.contains("/.staging/photos~") && line.hasSuffix("/1")
                && isRefused.withLock { $0 } ? .fails(.tooManyOpenFiles) : .works
        }
        let photos = try Directory<Photo>(
            at: sandbox.url("refused"), index: "photos.json", on: process)
        let stage = try stage(of: photos)
        #expect(throws: DirectoryError.self) { try photos.insert(stage) }
        isRefused.withLock { $0 = false }
        try photos.insert(stage)
        #expect(photos.count == 1)
    }

    @Test func stageThatIsBeingInsertedIsClosedForEverythingElse() throws {
        let stage = try stage(of: photos, 2)
        try photos.insert(stage) { staged in
            expectError(.stageClosed) { try photos.insert(stage) }
            expectError(.stageClosed) { try stage.discard() }
            expectError(.stageClosed) { try stage.write(Data([1])) }
            return Photo(staged)
        }
        #expect(photos.count == 2)
        #expect(try photos.verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func twoInsertsAtTheSameTimeInsertOnce() throws {
        for _ in 0..<20 {
            let stage = try stage(of: photos, 3)
            let before = photos.count
            let codes = Mutex<[DirectoryError.Code?]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                do {
                    if number == 0 { try photos.insert(stage) } else { try stage.discard() }
                    codes.withLock { $0.append(nil) }
                } catch {
                    codes.withLock { $0.append((error as? DirectoryError)?.code) }
                }
            }
            let found = codes.withLock(\.self)
            // A discard after the insert does nothing.
            #expect(found.allSatisfy { [nil, .stageClosed].contains($0) } && found.contains(nil))
            #expect([before, before + 3].contains(photos.count))
            #expect(try photos.verify().isEmpty)
            #expect(try sandbox.leftovers().isEmpty)
        }
    }

    @Test func stageIsOpenAgainAfterAFailedInsert() throws {
        let stage = try stage(of: photos)
        #expect(throws: Refusal.self) { try photos.insert(stage) { _ in throw Refusal() } }
        let taken = Photo(try #require(stage.assets.first))
        try photos.insert(Data([1]))
        expectError(.invalidName) {
            try photos.insert(stage) { _ in
                Photo(
                    id: taken.id, date: taken.date, name: "", fileName: "..", byteCount: 0)
            }
        }
        try stage.write(Data([2]))
        #expect(try photos.insert(stage).count == 2)
        #expect(photos.count == 3)
    }

    /// The first of three files moves, all later renames fail, also those that would undo it.
    @Test(arguments: [true, false]) func discardKeepsTheIntentThatRecoveryNeeds(_ isDirect: Bool)
        throws
    {
        let renames = Atomic(0)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            guard call.hasPrefix("rename"), call.contains("/.staging/") || call.contains("/photos/")
            else { return .works }
            return renames.add(1, ordering: .relaxed).oldValue == 0 ? .works : .fails(.ioError)
        }
        let failing = try Directory<Photo>(
            at: sandbox.url("store"), index: "photos.json", on: process)
        if isDirect {
            expectError(.ioFailure) { try failing.insert([Data([1]), Data([2]), Data([3])]) }
        } else {
            let stage = try stage(of: failing, 3)
            expectError(.ioFailure) { try failing.insert(stage) }
            try stage.discard()
        }
        process.kill()
        let photos = try sandbox.photos("store")
        #expect(try photos.verify().isEmpty)
        #expect(try photos.repair().isEmpty)
        #expect(photos.isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }
}
