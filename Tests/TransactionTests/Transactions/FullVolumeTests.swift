import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// A volume on which no file and no folder can be made any more.
struct FullVolumeTests {
    /// A process, and whether its volume is full.
    private final class Volume: Sendable {
        let isFull = Atomic(false)
        let killAt = Mutex<(prefix: String, part: String)?>(nil)

        func process(on base: any FileSystem = LocalFileSystem()) -> ProcessFileSystem {
            ProcessFileSystem(base) { [self] _, call in
                if let death = killAt.withLock(\.self), call.hasPrefix(death.prefix),
                    call.contains(death.part)
                {
                    return .killed
                }
                let makes = call.hasPrefix("make ") || call.hasPrefix("create ")
                return makes && isFull.load(ordering: .relaxed) ? .fails(.noSpace) : .works
            }
        }
    }

    let sandbox: Sandbox
    private let volume = Volume()

    init() throws { sandbox = try Sandbox() }

    /// Options with which every change goes to the journal.
    private var journaled: DirectoryOptions {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        return options
    }

    @Test func verifyWorksWithoutALockFile() throws {
        try sandbox.write(#"[{"id":1,"title":"Eggs"}]"#, to: "notes.json")
        try sandbox.write("[]", to: ".staging/notes~\(RandomName.digits())/intent")
        volume.isFull.store(true, ordering: .relaxed)
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json", on: volume.process())
        #expect(try notes.verify().isEmpty)
        #expect(Array(notes.items) == [.eggs])
        #expect(!sandbox.exists(".notes.lock"))
    }

    @Test func whatIsRemovedFromAFullVolumeFreesSpaceAndCannotBeUndone() throws {
        var options = journaled
        options.undoLimit = 5
        let photos = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: options, on: volume.process())
        let inserted = try photos.insert([Data([1]), Data([2])])
        try photos.insert(Data([3]))
        volume.isFull.store(true, ordering: .relaxed)
        try photos.remove(id: inserted[0].id)
        #expect(!photos.canUndo)
        #expect(try photos.undo() == nil)
        #expect(try sandbox.paths().count { $0.hasPrefix("photos/") } == 2)
        volume.isFull.store(false, ordering: .relaxed)
        try photos.remove(id: inserted[1].id)
        volume.isFull.store(true, ordering: .relaxed)
        // The file that comes back needs an intent.
        expectError(.noSpace) { try photos.undo() }
        #expect(photos.count == 1)
        volume.isFull.store(false, ordering: .relaxed)
        try photos.undo()
        #expect(try photos.data(of: inserted[1].id) == Data([2]))
        #expect(try sandbox.photos().verify().isEmpty)
    }

    @Test func photoIsRemovedWithoutAnIntent() throws {
        let process = volume.process()
        let photos = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: journaled, on: process)
        let inserted = try photos.insert([Data([1]), Data([2]), Data([3])])
        try photos.insert(Data([4]))
        volume.isFull.store(true, ordering: .relaxed)
        try photos.remove(id: inserted[0].id)
        try photos.write { draft in for photo in inserted[1...] { try draft.remove(id: photo.id) } }
        #expect(photos.count == 1)
        #expect(try sandbox.paths().count { $0.hasPrefix("photos/") } == 1)
        let other = try sandbox.photos()
        #expect(other.count == 1)
        #expect(try other.verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
        expectError(.noSpace) { try photos.insert(Data([5])) }
        #expect(photos.count == 1)
    }

    @Test func containerIsRemovedWithoutAnIntent() throws {
        let process = volume.process()
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: journaled, on: process)
        try boxes.append(contentsOf: (1...3).map { Box(id: $0, folderName: "Box \($0)") })
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.child(.notes, of: 2).append(.milk)
        try boxes.append(Box(id: 4, folderName: "Box 4"))
        volume.isFull.store(true, ordering: .relaxed)
        try boxes.remove(id: 1)
        try boxes.write { draft in
            try draft.remove(id: 2)
            try draft.remove(id: 3)
        }
        #expect(!sandbox.exists("Box 1") && !sandbox.exists("Box 2") && !sandbox.exists("Box 3"))
        expectError(.noSpace) { try boxes.update(id: 4) { $0.folderName = "Vier" } }
        volume.isFull.store(false, ordering: .relaxed)
        try boxes.checkpoint()
        try boxes.append(Box(id: 1, folderName: "Box 1"))
        #expect(try boxes.notes(of: 1).isEmpty)
        #expect(try sandbox.boxes().verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test(arguments: [("rename", "/Box 1 to "), ("remove", ".tmp")])
    func containerWhoseRemovalWasKilledIsAFindingOrRemovedLater(_ death: (String, String)) throws {
        let process = volume.process()
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: journaled, on: process)
        try boxes.append(contentsOf: [Box(id: 1, folderName: "Box 1"), Box(id: 2, folderName: "2")])
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.append(Box(id: 3, folderName: "3"))
        volume.isFull.store(true, ordering: .relaxed)
        volume.killAt.withLock { $0 = death }
        try boxes.remove(id: 1)
        try? boxes.checkpoint()
        #expect(process.isDead)

        let other = try sandbox.boxes()
        try other.write { _ in }
        #expect(other.items.map(\.id) == [2, 3])
        #expect(try other.verify().map(\.kind) == (death.0 == "rename" ? [.unknownFolder] : []))
        try other.repair()
        #expect(try other.verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func photoWhoseRemovalWasKilledIsAnOrphan() throws {
        let process = volume.process()
        let photos = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: journaled, on: process)
        let photo = try photos.insert([Data([1]), Data([2])])[0]
        try photos.insert(Data([3]))
        volume.isFull.store(true, ordering: .relaxed)
        volume.killAt.withLock { $0 = ("remove", "/photos/") }
        try photos.remove(id: photo.id)
        #expect(process.isDead)
        let other = try sandbox.photos()
        #expect(other.count == 2)
        #expect(try other.verify().map(\.kind) == [.orphanAsset])
    }

    /// A small index is rewritten, which takes one new file.
    @Test func removalFromASmallIndexChangesNothing() throws {
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", on: volume.process())
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        volume.isFull.store(true, ordering: .relaxed)
        let tree = try sandbox.tree()
        expectError(.noSpace) { try boxes.remove(id: 1) }
        #expect(boxes.count == 1)
        #expect(try sandbox.tree() == tree)
    }

    /// The intent does not take the space from the index, nor the padding from the record of a new journal.
    @Test(
        .enabled(if: SmallVolume.canBeMounted, "only root can mount a small volume"),
        arguments: Sweep.cases([Int.max, 0], sample: 1))
    func removalNeedsOnePageForTheIndexOrTheJournal(_ threshold: Int) throws {
        var options = DirectoryOptions()
        options.journalThreshold = threshold
        var isRemoved: [Bool] = []
        for pages in 0...8 {
            let small = try SmallVolume()
            let photos = try Directory<Photo>(
                at: small.url, index: "photos.json", options: options)
            try photos.insert([Data([1]), Data([2])])
            try photos.close()
            let again = try Directory<Photo>(at: small.url, index: "photos.json", options: options)
            let photo = try #require(again.loaded().first)
            try small.fill(leavingPages: pages)
            do {
                try again.remove(id: photo.id)
                isRemoved.append(true)
                #expect(again.count == 1)
            } catch let error as DirectoryError {
                #expect(error.code == .noSpace)
                isRemoved.append(false)
                #expect(again.count == 2)
            }
            #expect(try again.verify().isEmpty)
        }
        #expect(isRemoved == [false] + [Bool](repeating: true, count: 8))
    }

    @Test(.enabled(if: SmallVolume.canBeMounted, "only root can mount a small volume"))
    func spaceIsFreedOnAVolumeWithoutInodes() throws {
        let small = try SmallVolume()
        let boxes = try Directory<Box>(at: small.url, index: "boxes.json", options: journaled)
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        try boxes.child(.notes, of: 1).append(.eggs)
        let photos = try boxes.child(.photos, of: 2)
        let photo = try photos.insert(Data([1]))
        try photos.insert(Data([2]))
        try boxes.append(Box(id: 3, folderName: "Three"))
        try small.fill()

        expectError(.noSpace) { try photos.insert(Data([3])) }
        #expect(try boxes.verify().map(\.kind) == [.unknownFolder])
        #expect(try photos.verify().isEmpty)
        try photos.remove(id: photo.id)
        #expect(photos.count == 1)
        try small.fill()
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        #expect(boxes.items.map(\.id) == [2, 3])
        #expect(!FileManager.default.fileExists(atPath: small.url.appending(path: "One").path))
        try small.makeSpace()
        try photos.insert(Data([4]))
        #expect(photos.count == 2)
        #expect(try photos.verify().isEmpty)
    }

    /// As a child that another test has started keeps open what this process had open when it forked.
    @Test(.enabled(if: SmallVolume.canBeMounted, "only root can mount a small volume"))
    func volumeThatIsFilledWhileADeletedFileIsOpenStaysFull() throws {
        let small = try SmallVolume()
        let file = small.url.appending(path: "deleted")
        try Data().write(to: file)
        let open = try FileHandle(forReadingFrom: file)
        try FileManager.default.removeItem(at: file)
        let closed = DispatchSemaphore(value: 0)
        // A task would wait for a thread as long as other tests use all of them.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            #expect(throws: Never.self) { try open.close() }
            closed.signal()
        }
        try small.fill()
        closed.wait()
        #expect(throws: (any Error).self) { try Data().write(to: file) }
    }
}
