import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Changes of several tasks that share commits, against the same changes one after the other.
struct GroupModelTests {
    let disk = MemoryFileSystem()
    let process: ProcessFileSystem

    init() { process = ProcessFileSystem(disk) }

    /// How the collections of ``stepsOfAGroupAreThoseOfSingleChanges(_:)`` remember what was removed.
    private static let options = [(100, false), (3, false), (100, true), (0, true), (0, false)]

    /// Compares the items, those that were removed, the steps of the undo history, and each state that they lead to.
    @Test(arguments: 0..<TestSize.choose(sample: 15, gate: 80, full: 20_000))
    func stepsOfAGroupAreThoseOfSingleChanges(_ number: Int) async throws {
        var random = SeededGenerator(seed: UInt64(number))
        let (undoLimit, keeps) = Self.options[number % Self.options.count]
        func store(_ folder: String) throws -> Directory<Box> {
            var options = DirectoryOptions(undoLimit: undoLimit)
            options.keepsRemoved = keeps ? .days(30) : nil
            return try Directory(
                at: URL(filePath: folder), index: "boxes.json", options: options, on: process)
        }
        let (single, grouped) = (try store("/single"), try store("/grouped"))
        for boxes in [single, grouped] {
            try await boxes.append(contentsOf: (0..<4).map { Box(id: $0, folderName: "b\($0)") })
            for id in 0..<3 {
                try await boxes.child(.notes, of: id).append(contentsOf: [.eggs, .milk])
            }
            try await boxes.removeUndoHistory()
        }
        let changes = (0..<Int.random(in: 2..<14, using: &random)).map { _ in
            TreeChange.random(using: &random)
        }
        for change in changes { try? await single.write { try change.apply(to: &$0) } }
        try await grouped.changeTogether(
            changes.map { change in
                { _ = try? await grouped.write { try change.apply(to: &$0) } }
            })
        try compare(single, grouped, "\(changes)")
        // Another process removes an item, which can be one of a step.
        let gone = Int.random(in: 0..<6, using: &random)
        if number.isMultiple(of: 2) {
            try ["/single", "/grouped"].forEach { try remove(gone, at: $0) }
        }
        try undoAndRedo(single, grouped, "\(changes)")
        if keeps { try bringBack(single, grouped, "\(changes)") }
    }

    private func remove(_ id: Int, at folder: String) throws {
        let others = try Directory<Box>(
            at: URL(filePath: folder), index: "boxes.json", on: ProcessFileSystem(disk))
        try others.removeAll { $0.id == id }
    }

    private func undoAndRedo(
        _ single: Directory<Box>, _ grouped: Directory<Box>, _ changes: String
    ) throws {
        for isRedo in [false, true] {
            while isRedo ? single.canRedo : single.canUndo {
                let codes = [single, grouped].map { boxes in
                    do {
                        _ = isRedo ? try boxes.redo() : try boxes.undo()
                        return DirectoryError.Code?.none
                    } catch { return (error as? DirectoryError)?.code }
                }
                #expect(codes[0] == codes[1], "\(changes)")
                try compare(single, grouped, "\(isRedo ? "redo" : "undo") of \(changes)")
                if codes[0] != nil { break }
            }
        }
    }

    private func bringBack(
        _ single: Directory<Box>, _ grouped: Directory<Box>, _ changes: String
    ) throws {
        for boxes in [single, grouped] {
            for removed in try boxes.recentlyRemoved().sorted(by: {
                ($0.item.id, $0.date) < ($1.item.id, $1.date)
            }) {
                _ = try? boxes.bring(back: [removed.id]) { $0.folderName += "x" }
            }
        }
        // The position of a removed item is the one before the group.
        try compare(single, grouped, "removed by \(changes)", inOrder: false)
    }

    private func compare(
        _ single: Directory<Box>, _ grouped: Directory<Box>, _ comment: Comment,
        inOrder: Bool = true
    ) throws {
        let items = [single, grouped].map { boxes in
            inOrder ? Array(boxes.items) : boxes.items.sorted { $0.id < $1.id }
        }
        #expect(items[0] == items[1], comment)
        #expect(single.core.history.counts == grouped.core.history.counts, comment)
        let removed = try [single, grouped].map { boxes in
            try boxes.recentlyRemoved().map(\.item).sorted {
                ($0.id, $0.folderName) < ($1.id, $1.folderName)
            }
        }
        #expect(removed[0] == removed[1], comment)
        for box in single.items {
            let notes = try [single, grouped].map { boxes in
                let notes = try boxes.child(.notes, of: box.id)
                try notes.load()
                return Array(notes.items)
            }
            #expect(notes[0] == notes[1], comment)
        }
    }
}

/// A change of boxes, and of the notes in them.
private enum TreeChange: Sendable {
    case append(Int)
    case remove(Int)
    case rename(Int, String)
    case move(Int, to: Int)
    case notes(Int, Int)
    case both(Int, Int)
    case fill(Int)
    case fail

    static func random(using random: inout SeededGenerator) -> Self {
        let (id, other) = (
            Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random)
        )
        return switch Int.random(in: 0..<14, using: &random) {
        case 0..<2: .append(id)
        case 2: .remove(id)
        case 3: .rename(id, "r\(other)")
        case 4..<7: .move(id, to: other)
        case 7..<10: .notes(id, other)
        case 10..<12: .both(id, other)
        case 12: .fill(id)
        default: .fail
        }
    }

    func apply(to draft: inout Directory<Box>.Draft) throws {
        switch self {
        case .append(let id): try draft.append(Box(id: id, folderName: "b\(id)"))
        case .remove(let id): try draft.remove(id: id)
        case .rename(let id, let name): try draft.update(id: id) { $0.folderName = name }
        case .move(let id, let other): try draft.move([id], before: other == id ? nil : other)
        case .notes(let id, let note): try change(note, in: id, &draft)
        case .both(let id, let other):
            try draft.move([id], before: nil)
            try change(other, in: other, &draft)
        case .fill(let id):
            try draft.append(Box(id: id, folderName: "b\(id)"))
            try draft.write(.notes, of: id) { try $0.append(Note(id: id, title: "first")) }
        case .fail: throw CancellationError()
        }
    }

    private func change(_ note: Int, in id: Int, _ draft: inout Directory<Box>.Draft) throws {
        try draft.write(.notes, of: id) { notes in
            switch note {
            case 0..<2: try notes.append(Note(id: note, title: "new"))
            case 2: notes.sort(using: KeyPathComparator(\.title))
            case 3: try notes.remove(id: Note.eggs.id)
            default: try notes.update(id: Note.milk.id) { $0.title += "\(note)" }
            }
        }
    }
}
