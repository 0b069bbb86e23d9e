import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Processes that are killed in the middle of a write to several collections.
@Suite(.timeLimit(.minutes(30))) struct JointKillTests {
    /// Who opens the store first after the kill.
    enum First: CaseIterable { case parent, child, grandchild, photos, copy, older, nobody }

    /// Kills `write` before some of its calls, and calls `body` with each store and the number of the call.
    private func forEachKill(
        _ write: JointScenario, _ body: (JointStore, Int) throws -> Void
    ) throws {
        var sweep = Sweep(for: write)
        var kills = 0
        // A sample needs a kill before the decision, too.
        let step = TestSize.choose(sample: 6, gate: 24, full: 1)
        for number in sweep.numbers(below: 2_000, step: step) {
            let store = try JointStore()
            let calls = CallsFromNow([number: .killed])
            let process = calls.process
            let boxes = try store.boxes(on: process)
            try boxes.load()
            calls.begin()
            // A write that is killed after its decision takes place, and may return without an error.
            do { try write.run(boxes) } catch  where calls.count > number {}
            // A process that is killed closes nothing.
            withExtendedLifetime(boxes) { process.kill() }
            // The write was over before that call.
            guard calls.count > number else { break }
            try body(store, number)
            kills += 1
        }
        #expect(kills > 0)
    }

    @Test(arguments: JointScenario.some) func allOrNothingWhoeverOpensFirst(_ write: JointScenario)
        throws
    {
        let (before, after) = try JointStore.states(of: write)
        var (wentBack, wentOn) = (0, 0)
        var firsts = First.allCases.cycled()
        try forEachKill(write) { store, number in
            let first = firsts.next()
            let comment: Comment = "\(write), killed before call \(number), \(first) first"
            try open(first, store)
            if first == .copy {
                let copied = try store.contents("copy")
                #expect(copied == before || copied == after, comment)
                try store.expectClean(comment, in: "copy")
                try store.sandbox.remove("copy")
            }
            let found = try store.contents()
            #expect(found == before || found == after, comment)
            try store.expectClean(comment)
            if found == before { wentBack += 1 } else { wentOn += 1 }
            // What recovery leaves can be changed as ever.
            if found == before { try write.run(store.boxes()) }
        }
        #expect(wentBack > 0)
    }

    private func open(_ first: First, _ store: JointStore) throws {
        let sandbox = store.sandbox
        // The folder may have either name, or none.
        let folders = ["One", "Other"].filter { sandbox.exists($0) }
        switch first {
        case .parent: try store.boxes().load()
        case .child:
            for folder in folders {
                try sandbox.journaledNotes(folder).load()
                try? sandbox.journaledNotes(folder).append(Note(99))
                try? sandbox.journaledNotes(folder).remove(id: 99)
            }
        case .grandchild:
            for folder in folders {
                for inner in ["Part", "Other"] where sandbox.exists("\(folder)/\(inner)") {
                    try sandbox.journaledNotes("\(folder)/\(inner)").load()
                }
            }
        case .photos: for folder in folders { _ = try sandbox.photos(folder) }
        case .copy:
            try FileManager.default.createDirectory(
                at: sandbox.url("copy"), withIntermediateDirectories: false)
            for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.url.path)
            where name != "copy" {
                try FileManager.default.copyItem(
                    at: sandbox.url(name), to: sandbox.url("copy/\(name)"))
            }
        case .older:
            try sandbox.buryOwners()
            for first in OlderVersion.First.allCases.reversed() {
                try OlderVersion(sandbox: sandbox).open(first)
            }
        case .nobody: break
        }
    }

    @Test(arguments: JointScenario.some) func recoveryIsKilledToo(_ write: JointScenario) throws {
        let (before, after) = try JointStore.states(of: write)
        var sweep = Sweep(for: "recovery \(write)")
        try forEachKill(write) { store, number in
            for second in sweep.numbers(below: 60, step: 14) {
                let calls = CallsFromNow([second: .killed])
                calls.begin()
                try? store.boxes(on: calls.process).load()
            }
            let found = try store.contents()
            #expect(found == before || found == after, "\(write), killed before call \(number)")
            try store.expectClean("\(write), killed before call \(number)")
        }
    }

    @Test(arguments: JointScenario.some) func aCallThatFailsLeavesAllOrNothing(
        _ write: JointScenario
    )
        throws
    {
        let (before, after) = try JointStore.states(of: write)
        for code in [Errno.noSpace, .ioError] {
            var sweep = Sweep(for: "\(code) \(write)")
            for number in sweep.numbers(below: 2_000, step: 56) {
                let store = try JointStore()
                let calls = CallsFromNow([number: .fails(code)])
                let boxes = try store.boxes(on: calls.process)
                try boxes.load()
                calls.begin()
                let comment: Comment = "\(write), call \(number) fails with \(code)"
                do {
                    try write.run(boxes)
                    try? boxes.checkpoint()
                    #expect(try store.contents() == after, comment)
                } catch let error as DirectoryError {
                    // One that is in doubt about its own index has to be opened again.
                    let isDone =
                        try write.hasSeveralIndexes
                        ? boxes.isChanged(by: write, store, comment) : store.contents() == after
                    let found = try store.contents()
                    #expect(found == (isDone ? after : before), comment)
                    #expect(!isDone || error.code == .inDoubt, "\(error) \(comment)")
                }
                try? boxes.close()
                try store.expectClean(comment)
                if calls.count <= number { break }
            }
        }
    }
}

extension Directory<Box> {
    /// Loads, which ends what could not be ended, and returns whether the write has taken place.
    fileprivate func isChanged(by write: JointScenario, _ store: JointStore, _ comment: Comment)
        throws
        -> Bool
    {
        try load()
        let notes = try items.contains { $0.id == 1 } ? child(.notes, of: 1) : nil
        try notes?.load()
        let photos = try child(.photos, of: 1)
        try photos.load()
        return count != 2 || notes?.count != 1 || photos.count != 1
    }
}

extension Array {
    /// The elements, again and again.
    fileprivate func cycled() -> Cycle<Element> { Cycle(elements: self) }
}

private struct Cycle<Element> {
    let elements: [Element]
    private var position = 0

    init(elements: [Element]) { self.elements = elements }

    mutating func next() -> Element {
        defer { position += 1 }
        return elements[position % elements.count]
    }
}
