import DirectoryTestSupport
import Foundation
import Observation
import Synchronization
import StoreModel
import TestSupport
import Testing

@testable import Directory

@Suite(.timeLimit(.minutes(30))) struct ObservationTests {
    let sandbox: Sandbox
    let notes: Directory<Note>

    init() throws {
        sandbox = try Sandbox()
        notes = try Directory(at: sandbox.url, index: "notes.json")
        try notes.append(contentsOf: [.eggs, .milk])
    }

    @Test func itemsAreObserved() throws {
        #expect(try isTold(notes.items) { try notes.append(.salt) })
        #expect(try isTold(notes.items) { try notes.remove(id: 3) })
        #expect(try isTold(notes.items) { try notes.update(id: 1) { $0.title = "x" } })
        let move = { try notes.move(fromOffsets: [0], toOffset: 2) }
        #expect(try isTold(notes.items, of: move))
    }

    @Test func countIsObservedApartFromTheItems() throws {
        #expect(try isTold(notes.count) { try notes.append(.salt) })
        #expect(try isTold(notes.isEmpty) { try notes.remove(id: 3) })
        #expect(try !isTold(notes.count) { try notes.update(id: 1) { $0.title = "x" } })
        let move = { try notes.move(fromOffsets: [0], toOffset: 2) }
        #expect(try !isTold(notes.count, of: move))
        let swap = {
            try notes.write { draft in
                try draft.remove(id: 1)
                try draft.append(.salt)
            }
        }
        #expect(try !isTold(notes.count, of: swap))
    }

    @Test func itemIsObservedByItsID() throws {
        #expect(try isTold(notes[id: 1]) { try notes.update(id: 1) { $0.title = "x" } })
        #expect(try isTold(notes[id: 3]) { try notes.append(.salt) })
        #expect(try isTold(notes[id: 3]) { try notes.remove(id: 3) })
    }

    @Test func observerOfAnItemIsNotNotifiedOfChangesOfOthers() throws {
        let id = 9
        try notes.append(Note(id: id, title: "Observed"))
        let changes: [Edit] = [
            .update(Note(id: 2, title: "x")), .append(.salt), .move([0], to: 3), .remove(id: 2),
        ]
        for change in changes {
            #expect(try !isTold(notes[id: id]) { try change.apply(to: notes) }, "\(change)")
        }
    }

    @Test func failedChangeNotifiesNobody() throws {
        let append = { _ = expectError(.duplicateID) { try notes.append(.eggs) } }
        // Outside of #expect, which would read the values before the call.
        let told = isTold((notes.items, notes.count, notes[id: 1], notes.phase), of: append)
        #expect(!told)
    }

    @Test func phaseIsObserved() throws {
        let other = try Directory<OtherNote>(at: sandbox.url, index: "notes.json")
        #expect(try isTold(other.phase) { try other.load() })
        #expect(try !isTold(other.phase) { try other.load() })
        try sandbox.write("[", to: "notes.json")
        let load = { _ = expectError(.damagedIndex) { try other.load() } }
        let told = isTold(other.phase, of: load)
        #expect(told)
    }

    @Test func changeOfAnotherHandleIsObserved() throws {
        let second = try Directory<Note>(at: sandbox.url, index: "notes.json")
        #expect(try isTold(second.items) { try notes.append(.salt) })
        #expect(try isTold(notes[id: 3]) { try second.remove(id: 3) })
    }

    @Test func changeOfAnotherProcessIsObservedWhenItIsRead() throws {
        let other = try Directory<OtherNote>(at: sandbox.url, index: "notes.json")
        let id = 9
        try notes.append(Note(id: id, title: "Observed"))
        try other.update(id: 1) { $0.title = "Ham" }
        #expect(try !isTold(notes[id: id]) { try notes.load() })
        try other.update(id: 1) { $0.title = "Jam" }
        #expect(try isTold(notes[id: 1]) { try notes.append(.salt) })
        #expect(notes[id: 1]?.title == "Jam")
    }

    @Test func observerSeesTheChangeInMemoryAndOnDisk() throws {
        let (notes, sandbox) = (notes, sandbox)
        let seen = Mutex<[[Note]]>([])
        withObservationTracking {
            _ = notes.count
        } onChange: {
            let onDisk = try? sandbox.notesOnDisk()
            seen.withLock { $0 += [Array(notes.items), onDisk ?? []] }
        }
        try notes.append(.salt)
        #expect(seen.withLock(\.self) == [[.eggs, .milk, .salt], [.eggs, .milk, .salt]])
    }

    @Test func observerCanWrite() throws {
        let notes = notes
        // The observer's own change notifies the observer as well.
        let isFirst = Atomic(true)
        withObservationTracking {
            _ = notes.count
        } onChange: {
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            do { try notes.append(Note(id: 9, title: "Tea")) } catch { Issue.record(error) }
        }
        try notes.append(.salt)
        #expect(notes.items.map(\.id) == [1, 2, 3, 9])
        #expect(try sandbox.notesOnDisk() == Array(notes.items))
    }

    @Test func observerOfALoadCanWrite() throws {
        let other = try Directory<OtherNote>(at: sandbox.url, index: "notes.json")
        let isFirst = Atomic(true)
        withObservationTracking {
            _ = other.items
        } onChange: {
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            do { try other.append(.rice) } catch { Issue.record(error) }
        }
        try other.load()
        #expect(other.items.map(\.id) == [1, 2, 8])
    }

    @Test func observerOfATransferCanWriteToBothSides() throws {
        let sides = try ["a", "b"].map { folder in
            try Directory<Project>(at: sandbox.url(folder), index: "projects.json")
        }
        for (source, target) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let project = Project(title: UUID().uuidString)
            try source.append(project)
            for side in sides {
                // The transfer also notifies of this change of another process.
                let folder = side.url.deletingLastPathComponent()
                try Directory<OtherProject>(at: folder, index: "projects.json")
                    .append(OtherProject(title: UUID().uuidString))
                onFirstChange(of: side) {
                    for side in sides { try side.append(Project(title: UUID().uuidString)) }
                }
            }
            let count = source.count + target.count
            try source.transfer([project.id], to: target)
            #expect(target[id: project.id] == project)
            #expect(source[id: project.id] == nil)
            #expect(source.count + target.count == count + 2 + 4)
        }
    }

    @Test func observersOfAWriteToSeveralCollectionsCanWriteToAll() throws {
        let boxes = try sandbox.twoBoxes()
        let inside = try boxes.child(.notes, of: 1)
        let write: @Sendable (Int) throws -> Void = { number in
            try inside.append(Note(id: number, title: "by an observer"))
            try boxes.append(Box(id: number, folderName: "Box \(number)"))
        }
        onFirstChange(of: inside) { try write(10) }
        onFirstChange(of: boxes) { try write(11) }
        try boxes.write { draft in
            try draft.append(Box(id: 3, folderName: "Three"))
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        }
        #expect(Set(boxes.items.map(\.id)) == [1, 2, 3, 10, 11])
        #expect(Set(inside.items.map(\.id)) == [Note.eggs.id, Note.salt.id, 10, 11])
    }

    private func onFirstChange<Item>(
        of collection: Directory<Item>, _ body: @escaping @Sendable () throws -> Void
    ) {
        let isFirst = Atomic(true)
        withObservationTracking {
            _ = collection.items
        } onChange: {
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            do { try body() } catch { Issue.record(error) }
        }
    }

    struct OtherProject: Container {
        var id = UUID()
        var title: String
        var folderName: String { "Project_\(title)" }
    }
}
