import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// A write to several collections is taken back, the process that does so is killed, and then the folder of the
/// collection that would have decided moves: those that are left must not wait for it.
struct JointAbortTests {
    /// How the write is taken back.
    enum Abort: CaseIterable {
        /// By its own process, after an error.
        case own
        /// By the next process.
        case recovery
        /// By whoever moves the folder: only the first part is prepared.
        case move
    }

    /// What becomes of the container.
    enum Change: CaseIterable { case rename, removal }

    let store: JointStore

    init() throws { store = try JointStore() }

    /// A process that cannot decide a write, and is killed before the second write that ends with `suffix`.
    private func dying(at suffix: String) -> ProcessFileSystem {
        let state = Mutex((count: 0, isDead: false))
        return ProcessFileSystem(LocalFileSystem()) { _, call in
            state.withLock { state in
                if call.hasPrefix("write "), call.hasSuffix(suffix) { state.count += 1 }
                state.isDead = state.isDead || state.count > 1
                return state.isDead ? .killed : call.decidesTree ? .fails(.ioError) : .works
            }
        }
    }

    /// Moves the photograph of the first box to the second one, whose photographs decide.
    private func transfer(on process: ProcessFileSystem) throws {
        let boxes = try store.boxes(on: process)
        let (source, target) = try (boxes.child(.photos, of: 1), boxes.child(.photos, of: 2))
        try source.load()
        try? source.transfer(source.items.map(\.id), to: target)
        #expect(process.isDead)
    }

    @Test(arguments: Abort.allCases, Change.allCases)
    func nothingWaitsForAContainerThatMoves(_ abort: Abort, _ change: Change) throws {
        switch abort {
        case .own: try transfer(on: dying(at: " ended"))
        case .recovery:
            try transfer(on: JointKill.undecided.process)
            let process = dying(at: " ended")
            try? store.boxes(on: process).child(.photos, of: 1).write { _ in }
            #expect(process.isDead)
        case .move: try transfer(on: dying(at: " prepared"))
        }
        let boxes = try store.boxes()
        switch change {
        case .rename: try boxes.update(id: 2) { $0.folderName = "Deux" }
        case .removal: try boxes.remove(id: 2)
        }
        let photos = try boxes.child(.photos, of: 1)
        try photos.write { _ in }
        #expect(photos.count == 1)
        #expect(try photos.data(of: photos.items[0].id) == Data("photo 1".utf8))
        try store.expectClean("\(abort), \(change)")
    }

    /// How a collection loses its journal.
    enum LossOfJournal: CaseIterable { case checkpoint, commit }

    /// The end of a write is lost with the power, after a collection has lost its journal, and its folder has moved.
    @Test(arguments: PowerLoss.Profile.allCases, LossOfJournal.allCases)
    func whatDecidedTheWriteDoesNotWaitForAFolderThatHasMoved(
        _ profile: PowerLoss.Profile, _ loss: LossOfJournal
    ) throws {
        func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
            var options = DirectoryOptions()
            options.journalThreshold = 0
            options.journalTime = nil
            options.journalReserve = 0
            return try Directory<Box>(
                at: URL(filePath: "/"), index: "boxes.json", options: options, on: fileSystem)
        }
        let start = MemoryFileSystem()
        do {
            let boxes = try boxes(on: start)
            try boxes.append(contentsOf: (1...2).map { Box(id: $0, folderName: "\($0)") })
            for id in [1, 1, 2] { try boxes.child(.photos, of: id).insert(Data("\(id)".utf8)) }
        }
        let disk = RecordedDisk(start.image)
        let writer = try boxes(on: disk)
        let photos = try (1...2).map { try writer.child(.photos, of: $0) }
        try photos[0].load()
        try photos[0].transfer([photos[0].items[0].id], to: photos[1])
        switch loss {
        case .checkpoint: try photos[0].checkpoint()
        case .commit: try photos[0].update(id: photos[0].items[0].id) { $0.name += " 2" }
        }
        try writer.update(id: 1) { $0.folderName = "Uno" }
        try withExtendedLifetime(photos) {
            try PowerLoss(disk, profile).forEachState(
                at: [disk.events.count], .init(exhaustive: 8, samples: 16, tears: 1), seed: 1
            ) { state in
                let boxes = try boxes(on: MemoryFileSystem(state.image))
                try boxes.load()
                let photos = try (1...2).map { try boxes.child(.photos, of: $0) }
                for photos in photos.reversed() { try photos.write { _ in } }
                #expect(photos.map(\.count) == [1, 2], "\(profile), \(loss), \(state.number)")
            }
        }
    }
}
