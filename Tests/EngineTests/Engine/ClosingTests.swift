import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// `close()`: what it leaves on disk, and what works after it.
struct ClosingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The paths of hidden files and folders below `path`.
    private func hidden(_ path: String = "") throws -> [String] {
        try sandbox.tree(path).keys.filter { path in
            path.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted()
    }

    @Test func closeLeavesOnlyTheIndexAndItsLock() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(12))
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        try notes.append(.salt)
        try notes.close()
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        process.kill()
        #expect(try disk.read() == (history.last ?? []) + [.salt])
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func closeWaitsUntilRemovedFoldersAreDeleted(_ isAsync: Bool) async throws {
        let boxes = try sandbox.boxes()
        try await boxes.append(contentsOf: (0..<20).map { Box(id: $0, folderName: "Box \($0)") })
        for id in 0..<20 {
            for file in 0..<20 { try sandbox.write("x", to: "Box \(id)/deep/\(file)") }
        }
        try await boxes.removeAll { $0.id > 0 }
        if isAsync { try await boxes.close() } else { try boxes.closeNow() }
        #expect(try hidden() == [".boxes.lock"])
        #expect(sandbox.exists("Box 0/deep/0") && !sandbox.exists("Box 1"))
    }

    /// The deletion goes on only when the collection is being closed.
    @Test func closeWaitsForACleanUpThatIsUnderWay() throws {
        _ = try sandbox.twoBoxes()
        let isClosing = DispatchSemaphore(value: 0)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("remove"), call.hasSuffix("notes.json") { isClosing.wait() }
            return .works
        }
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json", on: process)
        try boxes.remove(id: 1)
        #expect(try hidden().count > 1)
        DispatchQueue.global().async { isClosing.signal() }
        try boxes.close()
        #expect(try hidden().filter { !$0.hasPrefix("Two") } == [".boxes.lock"])
    }

    @Test func whatAnotherProcessLeftInTheTrashIsDeleted() throws {
        let boxes = try sandbox.twoBoxes()
        let other = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("remove") ? .killed : .works
        }
        let others = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json", on: other)
        try others.remove(id: 1)
        others.core.background.wait()
        #expect(try hidden().filter { !$0.hasPrefix("Two") } != [".boxes.lock"])
        try boxes.close()
        #expect(try hidden().filter { !$0.hasPrefix("Two") } == [".boxes.lock"])
    }

    @Test func changesThroughEveryValueAreRefusedAndItemsStay() async throws {
        let (notes, other) = (try sandbox.journaledNotes(), try sandbox.journaledNotes())
        try await notes.append(contentsOf: [.eggs, .milk])
        let same = try sandbox.journaledNotes(on: notes.core.fileSystem)
        try notes.closeNow()
        expectError(.closed) { try notes.appendNow(.salt) }
        expectError(.closed) { try same.appendNow(.salt) }
        await expectError(.closed) { try await same.append(.salt) }
        await expectError(.closed) { try await same.sort() }
        await expectError(.closed) { try await same.load() }
        await expectError(.closed) { try await same.checkpoint() }
        await expectError(.closed) { try await same.resolveConflict(keeping: .index) }
        #expect(Array(same.items) == [.eggs, .milk])
        #expect(same.phase == .loaded)
        // Another process goes on.
        try await other.append(.salt)
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func assetsOfAClosedCollectionCanBeReadAndNotChanged() throws {
        let photos = try sandbox.photos()
        let photo = try photos.insert(Data([1]))
        let stage = try photos.makeStage()
        try stage.write(Data([2]))
        try photos.close()
        #expect(try photos.data(of: photo.id) == Data([1]))
        expectError(.closed) { try photos.insert(stage) }
        expectError(.closed) { try photos.insert(Data([3])) }
        expectError(.closed) { try photos.makeStage() }
        expectError(.closed) { try photos.repair() }
        expectError(.closed) { try photos.verify() }
        try stage.discard()
        #expect(try hidden() == [".photos.lock"])
    }

    @Test func transferFromOrToAClosedCollectionIsRefused() throws {
        let (one, two) = (try sandbox.boxes("one"), try sandbox.boxes("two"))
        try one.append(Box(id: 1, folderName: "One"))
        try two.close()
        expectError(.closed) { try one.transfer([1], to: two) }
        expectError(.closed) { try two.transfer([1], to: one) }
        #expect(one.count == 1)
        #expect(!sandbox.exists("two"))
    }

    @Test func secondCloseDoesNothing() async throws {
        let notes = try sandbox.journaledNotes()
        try await notes.append(.eggs)
        try await notes.close()
        let tree = try sandbox.tree()
        try await notes.close()
        #expect(try sandbox.tree() == tree)
    }

    @Test func collectionWithoutAFolderClosesAndMakesNothing() throws {
        let notes = try Directory<Note>(at: sandbox.url("new"), index: "notes.json")
        try notes.close()
        expectError(.closed) { try notes.append(.eggs) }
        #expect(!sandbox.exists("new"))
        try sandbox.write("[]", to: "notes.json")
        try Directory<Note>(at: sandbox.url, index: "notes.json").close()
        #expect(try sandbox.paths() == ["notes.json"])
    }

    @Test func valueOpenedAfterwardsBeginsAnew() throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try notes.append(.eggs)
        try notes.close()
        let again = try Directory<Note>(at: sandbox.url, index: "notes.json")
        #expect(again.phase == .idle)
        try again.append(.milk)
        #expect(Array(again.items) == [.eggs, .milk])
        #expect(Array(notes.items) == [.eggs])
        let third = try Directory<Note>(at: sandbox.url, index: "notes.json")
        #expect(third.count == 2)
    }

    @Test func childrenStayOpenAndFollowTheNewParent() throws {
        let boxes = try sandbox.twoBoxes()
        let notes = try boxes.child(.notes, of: 1)
        try boxes.close()
        expectError(.closed) { try boxes.child(.notes, of: 2) }
        try notes.append(.salt)
        let again = try sandbox.boxes()
        let child = try again.child(.notes, of: 1)
        try again.update(Box(id: 1, folderName: "Renamed"))
        try notes.append(.milk)
        #expect(Array(child.items) == [.eggs, .salt, .milk])
        try child.close()
        expectError(.closed) { try notes.append(Note(id: 9, title: "Pears")) }
        try again.append(Box(id: 3, folderName: "Three"))
    }

    @Test func childOfAClosedParentIsNotFoundAfterARename() throws {
        let boxes = try sandbox.twoBoxes()
        let notes = try boxes.child(.notes, of: 1)
        try boxes.close()
        let again = try sandbox.boxes()
        try again.update(Box(id: 1, folderName: "Renamed"))
        expectError(.closed) { try notes.append(.salt) }
        #expect(try again.notes(of: 1) == [.eggs])
        #expect(!sandbox.exists("One"))
    }

    @Test func childOfARemovedContainerCloses() throws {
        let boxes = try sandbox.twoBoxes()
        let notes = try boxes.child(.notes, of: 1)
        try boxes.remove(id: 1)
        try notes.close()
        expectError(.closed) { try notes.append(.salt) }
    }
}

extension ClosingTests {
    @Test func editsOfBindingsAreSavedFirst() throws {
        let disk = try NotesDisk()
        var options = DirectoryOptions()
        options.editPause = .seconds(10_000)
        let notes = try disk.notes(on: ProcessFileSystem(disk.disk), options)
        try notes.append(.eggs)
        let codes = Mutex<[DirectoryError.Code?]>([])
        let editor = try #require(
            ItemEditor(1, of: notes) { error in
                codes.withLock { $0.append((error as? DirectoryError)?.code) }
            })
        editor.value.title = "Six eggs"
        try notes.close()
        #expect(try disk.read().map(\.title) == ["Six eggs"])
        #expect(editor.value.title == "Six eggs")
    }

    @Test func closeThatFailsLeavesTheCollectionOpen() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let isFull = Atomic(true)
        let process = ProcessFileSystem(disk.disk) { _, call in
            isFull.load(ordering: .relaxed) && call.hasPrefix("write") && call.hasSuffix(".tmp")
                ? .fails(.noSpace) : .works
        }
        let notes = try disk.notes(on: process)
        expectError(.noSpace) { try notes.close() }
        try notes.append(.salt)
        #expect(try disk.journal.records.count == 6)
        isFull.store(false, ordering: .relaxed)
        try notes.close()
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        #expect(try disk.read() == (history.last ?? []) + [.salt])
    }

    @Test func closeOnAReadOnlyVolumeClosesAndChangesNothing() throws {
        let (disk, history) = try NotesDisk.withJournal(NotesDisk.edits(5))
        let isReadOnly = Atomic(false)
        let process = ProcessFileSystem(disk.disk) { _, call in
            isReadOnly.load(ordering: .relaxed) && call == "open /store/.notes.lock to write"
                ? .fails(.readOnly) : .works
        }
        let notes = try disk.notes(on: process)
        try notes.load()
        isReadOnly.store(true, ordering: .relaxed)
        let image = disk.disk.image
        try notes.close()
        expectError(.closed) { try notes.append(.salt) }
        #expect(disk.disk.image == image)
        #expect(Array(notes.items) == history.last)
        process.kill()
    }

    /// Each change of many tasks is on disk, or was refused.
    @Test func changesDuringACloseAreCommittedOrRefused() async throws {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process)
        try await notes.append(.eggs)
        let accepted = await withTaskGroup(of: Int?.self) { group in
            for id in 100..<160 {
                group.addTask {
                    do {
                        try await notes.append(Note(id: id, title: "Meanwhile"))
                        return id
                    } catch {
                        #expect((error as? DirectoryError)?.code == .closed)
                        return nil
                    }
                }
            }
            group.addTask {
                await #expect(throws: Never.self) { try await notes.close() }
                return nil
            }
            return await group.reduce(into: Set<Int>()) { ids, id in id.map { ids.formUnion([$0]) }
            }
        }
        process.kill()
        #expect(try disk.names == ["notes.json", ".notes.lock"])
        #expect(try Set(disk.read().map(\.id)) == accepted.union([1]))
    }

    @Test func closeInsideAChangeIsRefused() throws {
        let notes = try sandbox.journaledNotes()
        try notes.write { draft in
            try draft.append(.eggs)
            expectError(.nestedWrite) { try notes.close() }
        }
        #expect(try sandbox.notesOnDisk() == [.eggs])
    }

    @Test func watchEndsWhenTheCollectionIsClosed() async throws {
        let notes = try sandbox.journaledNotes()
        try await notes.append(.eggs)
        async let watching: Void = notes.watch()
        try await notes.close()
        await watching
        #expect(notes.phase == .loaded)
    }
}

extension Directory {
    fileprivate func closeNow() throws { try close() }
    fileprivate func appendNow(_ item: Item) throws { try append(item) }
}
