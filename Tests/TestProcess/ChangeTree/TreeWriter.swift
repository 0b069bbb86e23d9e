import Directory
import Foundation
import StoreModel
import TestSupport

/// Changes a tree at random.
final class TreeWriter {
    let log: EventLog
    var random: SeededGenerator
    private let folder: URL
    private let options: DirectoryOptions
    private let number: Int
    private var count = 0
    /// What stays open, also after others have moved or removed it.
    private var open: [OpenBox] = []

    /// Creates a writer; `number` is that of no other process, before or after this one.
    init(at folder: URL, _ log: EventLog, number: Int, seed: UInt64) throws {
        self.folder = folder
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
        self.options = options
    }

    /// Makes one change.
    ///
    /// - Throws: What changes of other processes do not explain.
    func step() throws {
        do {
            try change()
        } catch let error as DirectoryError where Self.explained.contains(error.code) {
            return
        } catch is Refusal {
            return
        }
    }

    /// Makes a change, and writes to the log what it is.
    func make(_ step: Step, in session: Session) throws {
        try log.record(step.events) { try step.perform(in: session) }
    }

    private static let explained: Set<DirectoryError.Code> = [
        .itemNotFound, .containerRemoved, .nameTaken, .duplicateID,
    ]

    private func change() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<8: try appendNote(in: box())
        case 8..<18: try updateNote(in: box())
        case 18..<22: try removeNote(in: box())
        case 22..<36: try importPhotos(into: box())
        case 36..<41: try removePhoto(from: box())
        case 41..<56: try transferPhotos(from: box(), to: box())
        case 56..<61: try renameBoxWithNotes(on: shelf())
        case 61..<70: try transferPart(from: project(), to: project())
        case 70..<77: try renameBox(on: shelf())
        case 77..<82: try renameAndReuseName(on: shelf())
        case 82..<85: try appendBox(on: shelf())
        case 85..<87: try removeBox(from: shelf())
        case 87: try removeAndReuseName(on: shelf())
        case 88..<93: try readPhoto(in: box())
        case 93..<96: try checkpoint(box())
        case 96..<98: try verify(box())
        case 98: try repair(box())
        default: open.removeAll { _ in Bool.random(using: &random) }
        }
    }

    /// A number that no other item of any process has.
    func makeID() -> Int {
        count += 1
        return number * 1_000_000 + count
    }
}

extension TreeWriter {
    /// The projects, or the parts of one of them.
    func shelf() throws -> OpenShelf {
        let project = try project()
        return Int.random(in: 0..<3, using: &random) > 0
            ? project.parts : OpenShelf(session: project.session, shelf: .projects)
    }

    /// A project, which is made if there is none.
    func project() throws -> OpenBox {
        let session = try Session(at: folder, options)
        let projects = OpenShelf(session: session, shelf: .projects)
        while true {
            try session.projects.load()
            if let box = session.projects.items.randomElement(using: &random) {
                return OpenBox(session: session, path: [box.id])
            }
            try appendBox(on: projects)
        }
    }

    /// A project, a part, or what was one when it was opened.
    func box() throws -> OpenBox {
        if let old = open.randomElement(using: &random), Int.random(in: 0..<4, using: &random) == 0
        {
            return old
        }
        var found = try project()
        if Bool.random(using: &random) {
            let parts = try found.parts.boxes
            try parts.load()
            if let part = parts.items.randomElement(using: &random) {
                found = OpenBox(session: found.session, path: found.path + [part.id])
            }
        }
        open.append(found)
        if open.count > 20 { open.removeFirst() }
        return found
    }
}
