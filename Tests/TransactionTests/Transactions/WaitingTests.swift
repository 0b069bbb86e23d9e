import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A call that has found its folder and waits for a lock there, while another process removes, renames or moves the
/// container.
struct WaitingTests {
    /// A call on the notes or the photographs of box 1, which holds both, a part and what a process can undo.
    enum Call: String, CaseIterable {
        case append, update, remove, insert, write, transferFrom, transferTo, undo, bringBack,
            removeForGood
        case checkpoint, repair, migrate, replicate, redo, verify, restore

        /// The lock that it waits for.
        var lock: String { Self.ofPhotos.contains(self) ? ".photos.lock" : ".notes.lock" }
        private static let ofPhotos: [Call] = [.insert, .transferFrom, .transferTo]
    }

    let sandbox: Sandbox
    let interruption = Interruption()

    init() throws { sandbox = try Sandbox() }

    /// The boxes One and Two, as a process sees them that is interrupted before it takes the lock `name` in One.
    func boxes(waitingFor name: String) throws -> Directory<Box> {
        var options = DirectoryOptions(undoLimit: 5, keepsRemoved: .days(1))
        options.journalThreshold = 0
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options,
            on: interruption.process(beforeCall: "lock ", "/One/\(name)"))
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        for id in 1...2 {
            try boxes.child(.notes, of: id).append(.eggs)
            try boxes.child(.photos, of: id).insert(Data([UInt8(id)]))
        }
        return boxes
    }

    /// The boxes as another process sees them.
    func others(_ options: DirectoryOptions = .init()) throws -> Directory<Box> {
        try Directory(
            at: sandbox.url, index: "boxes.json", options: options,
            on: ProcessFileSystem(LocalFileSystem()))
    }

    /// Prepares what the call needs, and returns a function that makes it.
    func prepare(_ call: Call, _ boxes: Directory<Box>) throws -> () throws -> Void {
        let (notes, photos) = (try boxes.child(.notes, of: 1), try boxes.child(.photos, of: 1))
        let other = try boxes.child(.photos, of: 2)
        let removed = { try #require(try notes.recentlyRemoved().first) }
        switch call {
        case .append: return { try notes.append(.milk) }
        case .update: return { try notes.update(Note(id: 1, title: "Ham")) }
        case .remove: return { try notes.remove(id: 1) }
        case .insert: return { try photos.insert(Data([3])) }
        case .write: return { try notes.write { try $0.append(.milk) } }
        case .transferFrom:
            let id = try #require(photos.loaded().first?.id)
            return { try photos.transfer([id], to: other) }
        case .transferTo:
            let id = try #require(other.loaded().first?.id)
            return { try other.transfer([id], to: photos) }
        case .undo:
            try notes.append(.milk)
            return { _ = try notes.undo() }
        case .bringBack:
            try notes.remove(id: 1)
            let item = try removed()
            return { try notes.bring(back: [item.id]) }
        case .removeForGood:
            try notes.remove(id: 1)
            let item = try removed()
            return { try notes.removeForGood([item.id]) }
        case .checkpoint:
            for id in 10...11 { try notes.append(Note(id)) }
            return { try notes.checkpoint() }
        case .repair: return { try notes.repair() }
        case .redo:
            try notes.append(.milk)
            try notes.undo()
            return { _ = try notes.redo() }
        case .verify: return { _ = try notes.verify() }
        case .restore:
            let copy = sandbox.url("copy")
            try notes.copy(to: copy)
            return { try notes.restore(from: copy) }
        case .migrate: return { _ = try notes.migrateDamagedItems { _ in nil } }
        case .replicate:
            let coding = LineCoding(of: Note.self, .init(), at: notes.url)
            let milk = try coding.decode(Array(JSONEncoder().encode(Note.milk))[...])
            return {
                try LineCollection(notes).write(importing: nil) { draft, _ in
                    try draft.append([milk])
                }
            }
        }
    }
}

extension WaitingTests {
    /// The other process looks into the notes and the photographs, as if it wanted to know whether they are empty, and
    /// removes the box in the same write.
    func removeBox(_ boxes: Directory<Box>) throws {
        try boxes.write { draft in
            try draft.write(.notes, of: 1) { #expect($0.items.count < 9) }
            try draft.write(.photos, of: 1) { #expect($0.items.count < 9) }
            try draft.remove(id: 1)
        }
    }

    @Test(arguments: Sweep.cases(Call.allCases, sample: 1))
    func callThatWaitedSaysThatTheContainerWasRemoved(_ call: Call) throws {
        let perform = try prepare(call, boxes(waitingFor: call.lock))
        interruption.set { try removeBox(others()) }
        expectError(.containerRemoved) { try perform() }
        #expect(interruption.hasRun)
        #expect(!sandbox.exists("One"))
    }

    @Test(arguments: Sweep.cases(Call.allCases, sample: 1))
    func callThatWaitedGoesOnWhereTheContainerIsNow(_ call: Call) throws {
        let boxes = try boxes(waitingFor: call.lock)
        let perform = try prepare(call, boxes)
        interruption.set {
            try others().write { draft in
                try draft.update(Box(id: 1, folderName: "Uno"))
                try draft.append(Box(id: 9, folderName: "One"))
            }
        }
        try perform()
        #expect(interruption.hasRun)
        #expect(
            Directory<Box>.Items(boxes.core.known.snapshot.elements)[id: 1]?.folderName == "Uno")
        #expect(sandbox.exists("Uno/notes.json") && !sandbox.exists("One/notes.json"))
        #expect(try others().child(.notes, of: 1).verify() == [])
    }

    @Test(arguments: [DirectoryOptions(), .init(undoLimit: 5), .init(keepsRemoved: .days(1))])
    func importThatWaitedIsNotKeptWithTheRemovedContainer(_ options: DirectoryOptions) throws {
        let boxes = try boxes(waitingFor: ".photos.lock")
        let photos = try boxes.child(.photos, of: 1)
        let others = try others(options)
        interruption.set { try removeBox(others) }
        expectError(.containerRemoved) { try photos.insert(Data([3])) }
        #expect(interruption.hasRun)
        guard options.keepsRemoved != nil else { return }
        let removed = try #require(others.recentlyRemoved().first)
        try others.bring(back: [removed.id])
        #expect(try others.child(.photos, of: 1).loaded().count == 1)
    }

    @Test func undoOfANewContainerTakesNothingWithIt() throws {
        let boxes = try boxes(waitingFor: ".notes.lock")
        let others = try others(DirectoryOptions(undoLimit: 5))
        try others.write { draft in
            try draft.remove(id: 1)
            try draft.append(Box(id: 3, folderName: "One"))
        }
        let notes = try boxes.child(.notes, of: 3)
        interruption.set { try others.undo() }
        expectError(.containerRemoved) { try notes.append(.milk) }
        #expect(interruption.hasRun)
        #expect(try others.child(.notes, of: 1).loaded().map(\.id) == [1])
    }

    @Test func writeOfAChildReachesNoContainerThatWasRemovedInIt() throws {
        let boxes = try boxes(waitingFor: ".boxes.lock")
        let parts = try boxes.child(Child<Box>("boxes"), of: 1)
        interruption.set {
            try others().write { draft in
                try draft.write(Child<Box>("boxes"), of: 1) { #expect($0.items.isEmpty) }
                try draft.remove(id: 1)
            }
        }
        expectError(.containerRemoved) {
            try parts.write { draft in
                try draft.append(Box(id: 7, folderName: "Seven"))
                try draft.write(.notes, of: 7) { try $0.append(.salt) }
            }
        }
        #expect(interruption.hasRun)
    }

    /// The parent of a container can be moved, with all that is in it.
    @Test func callThatWaitedBelowAMovedContainerGoesOnThere() throws {
        let boxes = try boxes(waitingFor: "Part/.notes.lock")
        let parts = try boxes.child(Child<Box>("boxes"), of: 1)
        try parts.append(Box(id: 5, folderName: "Part"))
        let notes = try parts.child(.notes, of: 5)
        interruption.set { try others().update(Box(id: 1, folderName: "Uno")) }
        try notes.append(.salt)
        #expect(interruption.hasRun)
        #expect(sandbox.exists("Uno/Part/notes.json") && !sandbox.exists("One"))
    }

    @Test func callThatWaitedBelowARemovedContainerSaysSo() throws {
        let boxes = try boxes(waitingFor: "Part/.notes.lock")
        let parts = try boxes.child(Child<Box>("boxes"), of: 1)
        try parts.append(Box(id: 5, folderName: "Part"))
        let notes = try parts.child(.notes, of: 5)
        interruption.set {
            try others().write { draft in
                try draft.write(Child<Box>("boxes"), of: 1) { parts in
                    try parts.write(.notes, of: 5) { #expect($0.items.isEmpty) }
                }
                try draft.remove(id: 1)
            }
        }
        expectError(.containerRemoved) { try notes.append(.salt) }
        #expect(interruption.hasRun)
    }

    @Test func folderOfTheStoreThatWasReplacedIsNotWrittenTo() throws {
        let notes = try Directory<Note>(
            at: sandbox.url("store"), index: "notes.json",
            on: interruption.process(beforeCall: "lock ", "/store/.notes.lock"))
        try notes.append(.eggs)
        interruption.set { [sandbox] in
            try sandbox.move("store", to: "old")
            try sandbox.makeFolder("store")
        }
        expectError(.containerRemoved) { try notes.append(.milk) }
        #expect(interruption.hasRun)
        #expect(
            try Directory<Note>(at: sandbox.url("old"), index: "notes.json").loaded().count == 1)
    }

    @Test func threadThatWaitsForAnotherOneOfItsProcessIsToldToo() throws {
        let boxes = try others()
        try boxes.append(Box(id: 1, folderName: "One"))
        let notes = try boxes.child(.notes, of: 1)
        let (isLocked, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            // The expectations below report a failure.
            try? boxes.write { draft in
                _ = try draft.write(.notes, of: 1) { _ in isLocked.signal() }
                // Time for the other thread to find the folder; if it is later, it finds none.
                Thread.sleep(forTimeInterval: 0.05)
                try draft.remove(id: 1)
            }
            isOver.signal()
        }
        isLocked.wait()
        expectError(.containerRemoved) { try notes.append(.milk) }
        isOver.wait()
        #expect(boxes.isEmpty)
    }
}
