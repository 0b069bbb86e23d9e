import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Changes that replace, remove or bring back things that are kept for some time, interrupted at each call.
struct KeptSweepTests {
    enum Work: CaseIterable, Sendable {
        case restore, restoreArchive, merge, bringBackBox, exchangeBox, exchangeAndBringBack,
            bringBackPhoto,
            removeForGood
    }

    private static let options = DirectoryOptions(keepsRemoved: .days(30))

    private static func boxes(on fileSystem: any FileSystem, _ path: String = "/store") throws
        -> Directory<Box>
    {
        try Directory(
            at: URL(filePath: path), index: "boxes.json", options: options, on: fileSystem)
    }

    private static func append(_ id: Int, _ title: String, to boxes: Directory<Box>) throws {
        try boxes.append(Box(id: id, folderName: "Box \(id)"))
        try boxes.child(.notes, of: id).append(Note(id: 1, title: title))
    }

    /// A store that was changed after a copy and an archive of it, and another store.
    ///
    /// In the first one, something was removed. Before an exchange it was restored, too.
    private static func start(_ work: Work) throws -> MemoryFileSystem.Image {
        let disk = MemoryFileSystem()
        let store = try boxes(on: ProcessFileSystem(disk))
        for (id, title) in [(1, "one"), (2, "two"), (5, "five")] {
            try append(id, title, to: store)
        }
        let photos = try store.child(.photos, of: 1)
        for text in ["pear", "plum"] { try photos.insert(Data(text.utf8)) }
        try store.copy(to: URL(filePath: "/copy"))
        try store.archive(to: URL(filePath: "/store.zip"))
        try photos.remove(id: photos.items.last?.id ?? UUID())
        try store.remove(id: 5)
        try store.child(.notes, of: 2).append(Note(id: 2, title: "newer"))
        try append(3, "three", to: store)
        let other = try boxes(on: ProcessFileSystem(disk), "/other")
        for (id, title) in [(2, "others"), (4, "four")] { try append(id, title, to: other) }
        if [.exchangeBox, .exchangeAndBringBack].contains(work) {
            try store.restore(from: URL(filePath: "/copy"))
        }
        for boxes in [store, other] { boxes.core.background.wait() }
        return disk.image
    }

    private static func run(_ work: Work, on fileSystem: any FileSystem) throws {
        let store = try boxes(on: fileSystem)
        switch work {
        case .restore: try store.restore(from: URL(filePath: "/copy"))
        case .restoreArchive: try store.restore(from: URL(filePath: "/store.zip"))
        case .merge: try store.merge(from: URL(filePath: "/other")) { _, _ in .takeTheirs }
        case .bringBackBox: try store.bring(back: store.recentlyRemoved().map(\.id))
        case .exchangeBox:
            try store.bring(
                back: store.recentlyRemoved().filter { $0.item.id == 2 && $0.isReplaced }.map(\.id))
        case .exchangeAndBringBack:
            try store.bring(back: store.recentlyRemoved().filter { $0.item.id < 5 }.map(\.id))
        case .bringBackPhoto:
            let photos = try store.child(.photos, of: 1)
            try photos.bring(back: photos.recentlyRemoved().map(\.id))
        case .removeForGood: try store.removeForGood(store.recentlyRemoved().map(\.id))
        }
        store.core.background.wait()
    }

    /// What the items of the store have, by id.
    private static func visible(_ store: Directory<Box>) throws -> [Int: Set<String>] {
        try store.load()
        var found: [Int: Set<String>] = [:]
        for box in store.items {
            found[box.id] = Set(try store.notes(of: box.id).map(\.title))
            let photos = try store.child(.photos, of: box.id)
            for photo in try photos.loaded() {
                found[box.id]?.insert(
                    String(decoding: try photos.data(of: photo.id), as: UTF8.self))
            }
        }
        return found
    }

    /// The start, and what the store has before and after `work`.
    private func states(_ work: Work) throws -> (
        image: MemoryFileSystem.Image, before: [Int: Set<String>], after: [Int: Set<String>],
        calls: Int
    ) {
        let image = try Self.start(work)
        let before = try Self.visible(
            Self.boxes(on: ProcessFileSystem(MemoryFileSystem(image))))
        let disk = MemoryFileSystem(image)
        let process = ProcessFileSystem(disk)
        try Self.run(work, on: process)
        let after = try Self.visible(Self.boxes(on: ProcessFileSystem(disk)))
        #expect((before == after) == (work == .removeForGood))
        return (image, before, after, process.calls)
    }

    /// Expects that the next process finds one of `states`, and that nothing is lost that was there.
    private func expectSound(
        _ disk: MemoryFileSystem, _ states: [[Int: Set<String>]], _ work: Work, isDone: Bool,
        from start: MemoryFileSystem.Image, _ place: Comment
    ) throws {
        try disk.buryOwners()
        let store = try Self.boxes(on: ProcessFileSystem(disk))
        // The first change removes what dead processes left.
        try store.write { _ in }
        let found = try Self.visible(store)
        #expect(states.contains(found), "\(place): \(found)")
        let findings = try store.verify().filter { $0.kind != .leftoverStage }
        #expect(findings.isEmpty, "\(place): \(findings)")
        store.core.background.wait()
        for path in ["/copy", "/store.zip"] {
            let old = try MemoryFileSystem(start).texts(at: path)
            #expect(try disk.texts(at: path) == old, "\(place): \(path)")
        }
        #expect(
            try Self.visible(Self.boxes(on: ProcessFileSystem(disk), "/other")).count == 2, place)
        let texts = try disk.texts(at: "/store").values.joined(separator: "\n")
        for text in ["one", "two", "newer", "three", "pear", "plum", "five"] {
            if text == "five", work == .removeForGood {
                if isDone { #expect(try store.recentlyRemoved().isEmpty, place) }
            } else {
                #expect(texts.contains(text), "\(place): \(text) is lost")
            }
        }
    }

    @Test(arguments: Sweep.cases(Work.allCases, sample: 1), Sweep.cases([true, false], sample: 1))
    func nothingIsLost(_ work: Work, byKilling isKilled: Bool) throws {
        let (image, before, after, calls) = try states(work)
        var sweep = Sweep(for: "\(work) \(isKilled)")
        for call in sweep.numbers(below: calls + 1, step: 144) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { number, _ in
                if isKilled { return number >= call ? .killed : .works }
                return number == call ? .fails(.ioError) : .works
            }
            let result = Result { try Self.run(work, on: process) }
            process.kill()
            var states = [before, after]
            var isDone = false
            switch result {
            // Also if the process is killed while it cleans up.
            case .success: (states, isDone) = ([after], true)
            case .failure(let error as DirectoryError) where !isKilled && error.code != .inDoubt:
                if work != .removeForGood { states = [before] }
            case .failure: break
            }
            try expectSound(
                disk, states, work, isDone: isDone, from: image,
                "\(work), \(isKilled ? "killed before" : "error in") call \(call), \(sweep)")
        }
    }

    @Test(
        arguments: Sweep.cases(
            PowerLoss.Profile.allCases.flatMap { profile in Work.allCases.map { (profile, $0) } },
            sample: 1, gate: 6))
    func powerLossLosesNothing(_ profile: PowerLoss.Profile, _ work: Work) throws {
        let (image, before, after, _) = try states(work)
        let disk = RecordedDisk(image)
        try Self.run(work, on: ProcessFileSystem(disk))
        disk.acknowledge()
        disk.forEachPowerLoss(profile, in: "\(work)") { disk, isDone, place in
            let place = Comment(rawValue: place)
            #expect(throws: Never.self, place) {
                try expectSound(
                    disk, isDone ? [after] : [before, after], work, isDone: isDone, from: image,
                    place)
            }
        }
    }
}

extension MemoryFileSystem {
    /// All files at `path` and below, as text, by their paths.
    fileprivate func texts(at path: String) throws -> [String: String] {
        guard let folder = try? openFolder(at: path) else {
            let url = URL(filePath: path)
            let parent = try openFolder(at: url.deletingLastPathComponent().path)
            let name = try FileName(validating: url.lastPathComponent)
            return [path: String(decoding: try readAll(name, in: parent) ?? [], as: UTF8.self)]
        }
        var found: [String: String] = [:]
        for name in try list(folder) {
            found.merge(try texts(at: "\(path)/\(name)")) { first, _ in first }
        }
        return found
    }
}
