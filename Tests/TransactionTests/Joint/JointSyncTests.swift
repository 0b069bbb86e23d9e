import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// The syncs of a write to several collections: how many come one after the other, and what holds if one fails.
struct JointSyncTests {
    /// Lets one sync of a participant's journal fail; afterwards also new files, if `isFull`.
    private final class Failure: Sendable {
        private let state = Mutex<(left: Int?, isFull: Bool, hasFailed: Bool)>((nil, false, false))

        var hasFailed: Bool { state.withLock { $0.hasFailed } }

        func begin(after syncs: Int, isFull: Bool) {
            state.withLock { $0 = (syncs, isFull, false) }
        }

        func end() { state.withLock { $0.left = nil } }

        func fate(_ line: String) -> ProcessFileSystem.Fate {
            state.withLock { state in
                guard let left = state.left else { return .works }
                if state.hasFailed {
                    let isNew = line.hasPrefix("write ") && line.contains(".tmp")
                    return state.isFull && isNew ? .fails(.noSpace) : .works
                }
                guard line.hasPrefix("sync "), line.hasSuffix("/.notes.journal") else {
                    return .works
                }
                state.left = left - 1
                state.hasFailed = left == 0
                return left == 0 ? .fails(.ioError) : .works
            }
        }
    }

    @Test(arguments: 0..<4, [false, true])
    func failedSyncKeepsNoJournalInUse(number: Int, isFull: Bool) throws {
        let sandbox = try Sandbox()
        let failure = Failure()
        let process = ProcessFileSystem(LocalFileSystem()) { _, line in failure.fate(line) }
        var options = DirectoryOptions()
        options.journalTime = nil
        _ = try sandbox.twoBoxes()
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
        // Their journals would end with them.
        let children = try (1...2).map { try boxes.child(.notes, of: $0) }
        defer { withExtendedLifetime(children) {} }
        let write = { (title: String) in
            try boxes.write { draft in
                try draft.move(fromOffsets: [0], toOffset: 2)
                for id in 1...2 {
                    try draft.write(.notes, of: id) { try $0.update(id: id) { $0.title = title } }
                }
            }
        }
        // The first write makes the journals.
        try write("first")
        let journals = { ["One", "Two"].map { sandbox.status("\($0)/.notes.journal")?.identity } }
        let old = journals()
        // No new file gets the numbers of those that are open.
        let open = try ["One", "Two"].map {
            try FileHandle(forReadingFrom: sandbox.url("\($0)/.notes.journal"))
        }
        defer { withExtendedLifetime(open) {} }

        failure.begin(after: number, isFull: isFull)
        if isFull {
            #expect(throws: DirectoryError.self) { try write("second") }
        } else {
            try write("second")
        }
        #expect(failure.hasFailed)
        failure.end()
        try write("third")
        for (new, old) in zip(journals(), old) { #expect(new != nil && new != old) }
        for name in ["One", "Two"] {
            let notes = try Directory<Note>(at: sandbox.url(name), index: "notes.json")
            #expect(try notes.loaded().map(\.title) == ["third"])
        }
        #expect(try boxes.verify() == [])
    }

    /// If not all new journals get their names, a commit to one that has its name must not need that name, which is not
    /// durable.
    @Test func nameOfANewJournalIsDurableBeforeACommit() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.twoBoxes()
        let process = ProcessFileSystem(LocalFileSystem()) { _, line in
            line.hasPrefix("rename ") && line.hasSuffix("/One/.notes.journal")
                ? .fails(.ioError) : .works
        }
        var options = DirectoryOptions()
        options.journalTime = nil
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
        #expect(throws: DirectoryError.self) {
            try boxes.write { draft in
                try draft.move(fromOffsets: [0], toOffset: 2)
                try draft.write(.notes, of: 1) { try $0.update(id: 1) { $0.title = "new" } }
            }
        }
        let renames = process.log.filter { $0.hasPrefix("rename ") && $0.hasSuffix(".journal") }
        #expect(renames.first?.hasSuffix("/.boxes.journal") == true, "\(renames)")
        try boxes.write { try $0.move(fromOffsets: [0], toOffset: 2) }
        let path = sandbox.url.path
        let placed = process.log.lastIndex { $0.hasSuffix(" to \(path)/.boxes.journal") }
        let rest = process.log[try #require(placed)...]
        let synced = try #require(rest.firstIndex(of: "sync \(path)/"))
        let written = rest.firstIndex { $0.hasPrefix("write \(path)/.boxes.journal") }
        #expect(try synced < #require(written), "\(rest.joined(separator: "\n"))")
        #expect(try boxes.verify() == [])
    }

    @Test func newJournalIsRemovedIfTheWriteIsInDoubt() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.twoBoxes()
        let fails = Mutex(false)
        let process = ProcessFileSystem(LocalFileSystem()) { _, line in
            fails.withLock { $0 } && line.hasPrefix("sync ") && line.hasSuffix("/Two")
                ? .fails(.ioError) : .works
        }
        var options = DirectoryOptions()
        options.journalTime = nil
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
        let children = try (1...2).map { try boxes.child(.notes, of: $0) }
        let write = { (ids: ClosedRange<Int>) in
            try boxes.write { draft in
                try draft.move(fromOffsets: [0], toOffset: 2)
                for id in ids {
                    try draft.write(.notes, of: id) { try $0.update(id: id) { $0.title += "!" } }
                }
            }
        }
        try write(2...2)
        // A journal with a second name is replaced before a record is added.
        try FileManager.default.linkItem(
            at: sandbox.url("Two/.notes.journal"), to: sandbox.url("backup"))
        fails.withLock { $0 = true }
        let error = #expect(throws: DirectoryError.self) { try write(1...2) }
        #expect(error?.code == .inDoubt)
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.url("One").path)
        #expect(!left.contains { $0.hasSuffix(".tmp") }, "\(left)")
        withExtendedLifetime(children) {}
    }

    /// A write to several collections.
    enum Write: CaseIterable {
        /// A collection changes with one child, or with those of 16 items.
        case child, children
        /// An item without a file moves between two children.
        case item
        case photo
        /// A new item with notes, beside a change in another child.
        case container
        /// The same with two photographs.
        case containerWithPhotos

        /// With journals: the records of the others, that of the home with the decision, and the commits of the others.
        ///
        /// The home has a record of its own before if it is not above the others. If files move, intents and folders are
        /// synced too.
        var syncsInARow: Int {
            switch self {
            case .child, .children: 3
            case .item: 4
            case .photo: 6
            case .container: 5
            case .containerWithPhotos: 6
            }
        }

        /// The syncs for new journals: the files together, then their names together; those of a home that is not above
        /// the others come before.
        var syncsOfNewJournals: Int {
            switch self {
            case .child, .children, .container, .containerWithPhotos: 1
            case .item, .photo: 2
            }
        }
    }

    @Test(arguments: Write.allCases, [0, 1_000_000])
    func fewSyncsComeOneAfterTheOther(_ write: Write, journalThreshold: Int) throws {
        let sandbox = try Sandbox()
        let process = ProcessFileSystem(LocalFileSystem())
        var options = DirectoryOptions()
        options.journalThreshold = journalThreshold
        options.journalTime = nil
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
        try boxes.append(contentsOf: (0..<16).map { Box(id: $0, folderName: "\($0)") })
        let notes = try (0..<16).map { try boxes.child(.notes, of: $0) }
        for (id, notes) in notes.enumerated() { try notes.append(Note(id: id, title: "Note")) }
        let photos = try (0..<2).map { try boxes.child(.photos, of: $0) }
        for photos in photos { try photos.insert([Data([1]), Data([2])]) }
        var round = 0
        let perform = {
            round += 1
            switch write {
            case .child:
                try boxes.write { draft in
                    try draft.move(fromOffsets: [0], toOffset: 2)
                    try draft.write(.notes, of: 1) { try $0.update(id: 1) { $0.title += "!" } }
                }
            case .children:
                try boxes.write { draft in
                    try draft.move(fromOffsets: [0], toOffset: 2)
                    for id in 0..<16 {
                        try draft.write(.notes, of: id) {
                            try $0.update(id: id) { $0.title += "!" }
                        }
                    }
                }
            case .item:
                let (from, to) = (round % 2, 1 - round % 2)
                let id = try #require(notes[from].items.last?.id)
                try boxes.write { draft in
                    try draft.write(.notes, of: from) { try $0.remove(id: id) }
                    try draft.write(.notes, of: to) {
                        try $0.append(Note(id: 100 + round, title: ""))
                    }
                }
            case .photo:
                let (from, to) = (photos[round % 2], photos[1 - round % 2])
                let id = try #require(from.items.last?.id)
                try from.transfer([id], to: to)
            case .container, .containerWithPhotos:
                let stage = try boxes.makeStage()
                if write == .containerWithPhotos {
                    for byte in 1...2 { try stage.write(Data([UInt8(byte)])) }
                }
                try boxes.write(importing: stage) { draft, assets in
                    try draft.append(Box(id: 100 + round, folderName: "New \(round)"))
                    try draft.write(.notes, of: 100 + round) { try $0.append(.salt) }
                    if !assets.isEmpty {
                        try draft.write(.photos, of: 100 + round) { photos in
                            for asset in assets { try photos.append(Photo(asset), file: asset) }
                        }
                    }
                    try draft.write(.notes, of: 1) { try $0.update(id: 1) { $0.title += "!" } }
                }
            }
            photos[0].core.background.wait()
        }
        // The name of each child's folder is synced once in a process.
        try boxes.write { draft in
            for id in 0..<16 { try draft.write(.notes, of: id) { _ in } }
            for id in 0..<2 { try draft.write(.photos, of: id) { _ in } }
        }
        for areNew in [true, false, false] {
            let (start, count) = (process.syncsInARow, process.log.count)
            try perform()
            // The marks of large collections are one by one.
            if areNew, journalThreshold == 0 { continue }
            let syncs = process.log[count...].filter { $0.hasPrefix("sync ") }
            #expect(
                process.syncsInARow - start
                    == write.syncsInARow + (areNew ? write.syncsOfNewJournals : 0),
                "\(areNew): \(syncs.joined(separator: "\n"))")
        }
        withExtendedLifetime((notes, photos)) {}
    }
}
