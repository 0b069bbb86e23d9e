import DirectoryTestSupport
import Foundation
import Observation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Which observers are woken by a change, and how often.
@Suite(.timeLimit(.minutes(30))) struct WakeUpTests {
    let disk: NotesDisk
    let notes: Directory<Note>
    let others: Directory<OtherNote>
    private let observed = 0..<2_000

    init() throws {
        disk = try NotesDisk()
        var options = DirectoryOptions(durability: .relaxed)
        options.editPause = .seconds(3_600)
        let folder = URL(filePath: "/store")
        notes = try Directory(at: folder, index: "notes.json", options: options, on: disk.disk)
        others = try Directory(at: folder, index: "notes.json", options: options, on: disk.disk)
        // Every second observed item does not exist yet.
        try notes.append(
            contentsOf: stride(from: 0, to: 2_000, by: 2).map { Note(id: $0, title: "\(-$0)") })
    }

    /// What woke, with the number of times.
    final class WakeUps: Sendable {
        private let counts = Mutex<[String: Int]>([:])
        var all: [String: Int] { counts.withLock { $0 } }

        /// Tracks what `read` reads, and tracks it again after each wake-up, as a view does.
        func track(_ name: String, _ read: @escaping @Sendable () -> Void) {
            withObservationTracking(read) {
                self.counts.withLock { $0[name, default: 0] += 1 }
                self.track(name, read)
            }
        }
    }

    /// The wake-ups while `change` is made: of observers of each item, and of the whole.
    private func wakeUps(_ change: () throws -> Void) throws -> [String: Int] {
        let wakeUps = WakeUps()
        let notes = notes
        for id in observed { wakeUps.track("\(id)") { _ = notes[id: id] } }
        wakeUps.track("items") { _ = notes.items }
        wakeUps.track("count") { _ = notes.count }
        wakeUps.track("phase") { _ = notes.phase }
        try change()
        return wakeUps.all
    }

    @Test func updateWakesTheObserversOfItsItem() throws {
        let found = try wakeUps { try notes.update(Note(id: 6, title: "x")) }
        #expect(found == ["6": 1, "items": 1])
    }

    @Test func updateThatChangesNothingWakesNobody() throws {
        let note = try #require(notes[id: 6])
        #expect(try wakeUps { try notes.update(note) } == [:])
        #expect(try wakeUps { try notes.write { _ in } } == [:])
    }

    @Test func additionAndRemovalWakeTheObserversOfTheItemAndTheCount() throws {
        let inserted = try wakeUps { try notes.insert(Note(7), at: 3) }
        #expect(inserted == ["7": 1, "items": 1, "count": 1])
        let removed = try wakeUps { try notes.remove(id: 7) }
        #expect(removed == ["7": 1, "items": 1, "count": 1])
        let again = try wakeUps { try notes.append(Note(7)) }
        #expect(again == ["7": 1, "items": 1, "count": 1])
        let several = try wakeUps {
            try notes.write { draft in
                try draft.remove(ids: [2, 4])
                try draft.append(contentsOf: [Note(3), Note(5)])
            }
        }
        #expect(several == ["2": 1, "3": 1, "4": 1, "5": 1, "items": 1])
    }

    @Test func newOrderWakesTheObserversOfTheItemsAlone() throws {
        let move = { try notes.move(fromOffsets: [0, 5], toOffset: 900) }
        #expect(try wakeUps(move) == ["items": 1])
        #expect(try wakeUps { try notes.sort() } == ["items": 1])
        #expect(try wakeUps { try notes.sort() } == [:])
    }

    @Test func loadWakesTheObserversOfWhatOthersChanged() throws {
        try others.load()
        try others.update(OtherNote(id: 8, title: "x"))
        try others.append(OtherNote(id: 9, title: "y"))
        try others.remove(id: 10)
        try others.update(OtherNote(id: 12, title: "z"))
        try others.update(OtherNote(id: 12, title: "-12"))
        // The number of items is the same after all of it.
        #expect(try wakeUps { try notes.load() } == ["8": 1, "9": 1, "10": 1, "items": 1])
        #expect(try wakeUps { try notes.load() } == [:])
        try others.append(OtherNote(id: 11, title: "y"))
        let commit = { try notes.update(Note(id: 2, title: "x")) }
        #expect(try wakeUps(commit) == ["11": 1, "2": 1, "items": 2, "count": 1])
    }

    @Test func editOfABindingWakesBindingsAtOnceAndOthersWhenItIsCommitted() throws {
        let (notes, observed) = (notes, observed)
        let editors = try observed.filter { notes[id: $0] != nil }
            .map { try #require(ItemEditor($0, of: notes) { _ in }) }
        func editing(_ change: () throws -> Void) throws -> [String: Int] {
            let wakeUps = WakeUps()
            for (number, editor) in editors.enumerated() {
                wakeUps.track("\(2 * number)") { _ = editor.value }
            }
            wakeUps.track("item") { _ = notes[id: 4] }
            wakeUps.track("items") { _ = notes.items }
            try change()
            return wakeUps.all
        }
        #expect(try editing { editors[2].value.title = "x" } == ["4": 1])
        #expect(try editing { editors[2].value.title = "y" } == ["4": 1])
        let committed = try editing { notes.core.commitEdits() }
        #expect(committed == ["4": 1, "item": 1, "items": 1])
        #expect(try editing { notes.core.commitEdits() } == [:])
        #expect(try editing { try notes.remove(id: 4) } == ["4": 1, "item": 1, "items": 1])
    }

    @Test func closeWakesNobody() throws {
        #expect(try wakeUps { try notes.close() } == [:])
    }

    /// The release can be anywhere, also in a change of another collection.
    @Test func releaseWakesNobody() throws {
        let options = DirectoryOptions(undoLimit: 10)
        let folder = URL(filePath: "/released")
        let volume = MemoryVolume(at: folder)
        var notes: Directory<Note>? = try Directory(
            at: volume.url, index: "notes.json", options: options)
        try notes?.append(Note(id: 1, title: "Milk"))
        #expect(notes?.canUndo == true)
        let told = Atomic(0)
        withObservationTracking {
            _ = notes?.canUndo
        } onChange: {
            told.add(1, ordering: .relaxed)
        }
        notes = nil
        #expect(told.load(ordering: .relaxed) == 0)
    }

    @Test func phaseWakesOnlyWhenItChanges() throws {
        let wakeUps = WakeUps()
        let others = others
        wakeUps.track("phase") { _ = others.phase }
        try others.load()
        // From idle to loading, and from loading to loaded.
        #expect(wakeUps.all == ["phase": 2])
        try others.load()
        try others.append(OtherNote(id: 9, title: "y"))
        #expect(wakeUps.all == ["phase": 2])
    }

    @Test func everyOneOf100000ItemsHasObserversOfItsOwn() {
        let observers = ItemObservers()
        let wakeUps = WakeUps()
        let count = TestSize.choose(sample: 10_000, gate: 100_000, full: 100_000)
        for id in 0..<count { observers.access(id.hashValue) }
        for id in 0..<count / 10 { wakeUps.track("\(id)") { observers.access(id.hashValue) } }
        observers.change((count / 10..<count).map(\.hashValue))
        #expect(wakeUps.all.isEmpty)
        observers.change([17.hashValue])
        #expect(wakeUps.all == ["17": 1])
    }

    @Test func observersOfItemsBeyondTheCapacityAreWokenToo() {
        let observers = ItemObservers(capacity: 5_000)
        let wakeUps = WakeUps()
        let last = 2 * 5_000
        for id in 0..<last { observers.access(id.hashValue) }
        wakeUps.track("last") { observers.access(last.hashValue) }
        observers.change([last.hashValue])
        #expect(wakeUps.all == ["last": 1])
        // Now there is space, so the next observer of the item has a number of its own.
        observers.change((0..<1_000).map(\.hashValue), areRemoved: true)
        wakeUps.track("own") { observers.access(last.hashValue) }
        observers.change([last.hashValue], areRemoved: true)
        #expect(wakeUps.all["own"] == 1)
        #expect((wakeUps.all["last"] ?? 0) > 1)
    }
}
