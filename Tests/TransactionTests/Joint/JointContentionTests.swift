import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Writers that change the same collections at the same time, in different orders.
@Suite(.timeLimit(.minutes(30))) struct JointContentionTests {
    private let store: JointStore
    private let rounds = TestSize.choose(sample: 1, gate: 10, full: 200)

    init() throws {
        store = try JointStore()
        try opened().write { draft in
            for id in 1...2 {
                try draft.write(.notes, of: id) { notes in
                    try notes.update(id: id) { $0.title = "0" }
                }
                try draft.write(.parts, of: id) { parts in
                    parts.removeAll { _ in true }
                    for courier in 0..<8 where Writer(number: courier).courier == id {
                        try parts.append(Box(id: courier, folderName: "Courier \(courier)"))
                    }
                }
                try draft.update(id: id) { $0.count = 2 }
            }
        }
    }

    private func opened() throws -> Directory<CountedBox> {
        try Directory<CountedBox>(
            at: store.sandbox.url, index: "boxes.json", options: .init(lockTimeout: .seconds(2)),
            on: ProcessFileSystem(LocalFileSystem()))
    }

    /// Eight writers share 1, 2 or 8 processes.
    @Test(arguments: Sweep.cases([1, 2, 8], sample: 1)) func crossedWritersLoseNothing(_ count: Int)
        throws
    {
        let processes = try (0..<count).map { _ in try opened() }
        let faults = Mutex<[String]>([])
        let group = DispatchGroup()
        for number in 0..<8 {
            group.enter()
            Thread.detachNewThread { [rounds] in
                defer { group.leave() }
                let writer = Writer(number: number)
                for round in 1...rounds {
                    do {
                        try retrying { try writer.run(round, processes[number % count]) }
                    } catch {
                        faults.withLock { $0.append("writer \(number), round \(round): \(error)") }
                    }
                }
            }
        }
        group.wait()
        #expect(faults.withLock { $0 } == [])
        for boxes in processes { try boxes.close() }
        try expectAll()
        try store.expectClean("\(count) processes")
    }

    /// Expects every change of every writer, once.
    private func expectAll() throws {
        let boxes = try opened()
        try boxes.load()
        for box in boxes.items {
            let notes = try boxes.notes(of: box.id)
            let parts = try boxes.child(.parts, of: box.id).loaded()
            #expect(box.count == notes.count + parts.count)
            #expect(notes.first { $0.id == box.id }?.title == "\(2 * rounds)")
            let own = [0, 1, 4, 5].flatMap { number in (1...rounds).map { 1000 * number + $0 + 9 } }
            #expect(Set(notes.map(\.id)) == Set([box.id] + own))
            #expect(parts.map(\.id) == (0..<8).filter { Writer(number: $0).courier == box.id })
        }
        try boxes.close()
    }
}

/// Calls `body` again while it fails with `locked`, for a minute.
private func retrying(_ body: () throws -> Void) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
        do {
            return try body()
        } catch let error as DirectoryError where error.code == .locked {
            if ContinuousClock.now > deadline { throw error }
        }
    }
}

/// A box that says how many notes and boxes it has.
private struct CountedBox: Container {
    var id: Int
    var folderName: String
    var count: Int?
}

/// A writer makes one kind of change again and again; two of the same kind have different orders.
private struct Writer {
    let number: Int
    private var order: [Int] { number < 4 ? [1, 2] : [2, 1] }

    init(number: Int) { self.number = number }

    /// The box with the part that the writer moves to the other box and back; nil if it moves none.
    var courier: Int? { number % 4 == 2 ? order[0] : nil }

    func run(_ round: Int, _ boxes: Directory<CountedBox>) throws {
        switch number % 4 {
        case 0, 1: try append(Note(1000 * number + round + 9), boxes)
        case 2:
            for (from, to) in zip(order, order.reversed()) {
                let (source, target) = try (
                    boxes.child(.parts, of: from), boxes.child(.parts, of: to)
                )
                try retrying { try source.transfer([number], to: target) }
            }
        default:
            for id in order {
                let notes = try boxes.child(.notes, of: id)
                try retrying {
                    try notes.update(id: id) { $0.title = "\((Int($0.title) ?? -1000) + 1)" }
                }
            }
        }
    }

    /// Appends `note` to both boxes, and counts it.
    private func append(_ note: Note, _ boxes: Directory<CountedBox>) throws {
        try boxes.write { draft in
            var found = 0
            for id in order {
                try draft.update(id: id) { $0.count = ($0.count ?? 0) + 1 }
                try draft.write(.notes, of: id) { notes in
                    try notes.append(note)
                    found += notes.items.count
                }
                found += try draft.write(.parts, of: id) { $0.items.count }
            }
            // A part that moves is in one of both.
            guard draft.items.reduce(0, { $0 + ($1.count ?? 0) }) == found else {
                throw HalfSeen(found: found)
            }
        }
    }
}

/// A write has seen one of two collections before a change of both, and the other after it.
private struct HalfSeen: Error { let found: Int }
