import Directory
import Foundation
import StoreModel
import TestSupport

/// Changes a tree at random.
final class TreeWriter {
    let log: EventLog
    var random: SeededGenerator
    private let projects: Directory<Box>
    private let number: Int
    private var count = 0
    /// What stays open, also after others have moved or removed it.
    private var open: [Place] = []

    /// Creates a writer; `number` is that of no other process, before or after this one.
    init(at folder: URL, _ log: EventLog, number: Int, seed: UInt64) throws {
        self.log = log
        self.number = number
        random = SeededGenerator(seed: seed)
        var options = DirectoryOptions(
            durability: Bool.random(using: &random) ? .durable : .relaxed,
            lockTimeout: .seconds(20))
        if Bool.random(using: &random) {
            options.journalThreshold = 0
            options.journalReserve = 4096
            options.journalGrowth = 1000
        }
        projects = try Directory(at: folder, index: StressTree.index, options: options)
    }

    /// Makes one change.
    ///
    /// - Throws: What changes of other processes do not explain.
    func step() throws {
        do {
            try change()
        } catch let error as DirectoryError where Self.explained.contains(error.code) {
            return
        }
    }

    private static let explained: Set<DirectoryError.Code> = [
        .itemNotFound, .containerRemoved, .nameTaken, .duplicateID,
    ]

    private func change() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<8: try appendNote(in: place())
        case 8..<18: try updateNote(in: place())
        case 18..<22: try removeNote(in: place())
        case 22..<36: try importPhotos(into: place())
        case 36..<41: try removePhoto(from: place())
        case 41..<61: try transferPhotos(from: place(), to: place())
        case 61..<70: try transferPart(from: project(), to: project())
        case 70..<77: try renameBox(on: shelf())
        case 77..<82: try renameAndReuseName(on: shelf())
        case 82..<85: try appendBox(on: shelf())
        case 85..<87: try removeBox(from: shelf())
        case 87: try removeAndReuseName(on: shelf())
        case 88..<93: try readPhoto(in: place())
        case 93..<96: try checkpoint(place())
        case 96..<98: try verify(place())
        case 98: try repair(place())
        default: open.removeAll { _ in Bool.random(using: &random) }
        }
    }

    /// A number that no other item of any process has.
    func makeID() -> Int {
        count += 1
        return number * 1_000_000 + count
    }

    func makePhotoID() -> UUID {
        count += 1
        let text = String(format: "%08X-0000-4000-8000-%012X", number, count)
        return UUID(uuidString: text) ?? UUID()
    }
}

extension TreeWriter {
    /// The projects, or the parts of one of them.
    func shelf() throws -> Shelf {
        guard Int.random(in: 0..<3, using: &random) > 0 else {
            return Shelf(name: "root", boxes: projects, capacity: 5)
        }
        let project = try project()
        return Shelf(name: project.name, boxes: project.parts, capacity: 4)
    }

    /// A project, which is made if there is none.
    func project() throws -> Place {
        while true {
            try projects.load()
            if let box = projects.items.randomElement(using: &random) {
                return try Place(box.id, in: projects)
            }
            try appendBox(on: Shelf(name: "root", boxes: projects, capacity: 5))
        }
    }

    /// A project, a part, or what was one when it was opened.
    func place() throws -> Place {
        if let old = open.randomElement(using: &random), Int.random(in: 0..<4, using: &random) == 0
        {
            return old
        }
        var found = try project()
        if Bool.random(using: &random) {
            try found.parts.load()
            if let box = found.parts.items.randomElement(using: &random) {
                found = try Place(box.id, in: found.parts)
            }
        }
        open.append(found)
        if open.count > 20 { open.removeFirst() }
        return found
    }
}
