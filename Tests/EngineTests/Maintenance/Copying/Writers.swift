import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Threads that change one store so that its states can be told apart.
///
/// Writer `i` writes the number of its round first to the upper notes, then to the lower ones. In
/// each round it also moves its photo to the other box, adds or removes photos, makes or removes a box,
/// or renames one.
final class Writers: Sendable {
    enum Kind: String, CaseIterable {
        /// All writers share the collections of this process.
        case threads
        /// Each writer is a process of its own, as far as the library can see.
        case processes
        /// So it is, and each is killed again and again before some call.
        case killedProcesses
    }

    static let count = 8
    /// The photos that are added and removed together.
    static let batch = 3

    private struct State {
        var isOver = false
        var kills = 0
        var faults: [String] = []
        var acknowledged = [Int](repeating: 0, count: Writers.count)
    }

    let random = SeededGenerator()
    private let kind: Kind
    private let folder: URL
    private let state = Mutex(State())

    /// Makes the store.
    init(_ kind: Kind, in folder: URL) throws {
        self.kind = kind
        self.folder = folder
        let counters = (0..<Self.count).map { Note(id: $0, title: "0") }
        let own = (0..<Self.count).map { Photograph("own \($0)") }
        let renamed = (0..<Self.count).filter { $0 % 4 == 3 }.map {
            Tree.Node(Box(id: 200 + $0, folderName: "Renamed \($0)"), notes: [.eggs])
        }
        let three = Tree.Node(Box(id: 3, folderName: "Three"), notes: counters)
        let one = Tree.Node(
            Box(id: 1, folderName: "One"), notes: counters, photos: own, parts: [three])
        let two = Tree.Node(Box(id: 2, folderName: "Two"))
        try Session(at: folder).fill(with: Tree(projects: [one, two] + renamed))
    }

    /// The last round of each writer that it has written to both notes.
    var acknowledged: [Int] { state.withLock { $0.acknowledged } }
    var kills: Int { state.withLock { $0.kills } }
    var faults: [String] { state.withLock { $0.faults } }

    /// Runs `body` while all writers work.
    func run(_ body: () throws -> Void) throws {
        let done = DispatchGroup()
        for writer in 0..<Self.count {
            done.enter()
            Thread.detachNewThread { [self] in
                var random = SeededGenerator(seed: self.random.seed &+ UInt64(writer))
                while !state.withLock({ $0.isOver }) { life(of: writer, &random) }
                done.leave()
            }
        }
        defer {
            state.withLock { $0.isOver = true }
            done.wait()
        }
        try body()
    }

    /// One process, until all is over or it is killed.
    private func life(of writer: Int, _ random: inout SeededGenerator) {
        let end = kind == .killedProcesses ? Int.random(in: 50...2000, using: &random) : .max
        let process = ProcessFileSystem(LocalFileSystem()) { $0 >= end ? .killed : .works }
        do {
            var store = try WriterStore(
                writer, Session(at: folder, on: kind == .threads ? LocalFileSystem() : process))
            let recovered = store.round
            state.withLock { $0.acknowledged[writer] = recovered }
            while !state.withLock({ $0.isOver }) {
                let round = try store.goRound()
                state.withLock { $0.acknowledged[writer] = round }
            }
        } catch  where process.isDead {
            state.withLock { $0.kills += 1 }
        } catch {
            state.withLock { $0.faults.append("writer \(writer): \(error)") }
        }
    }
}

/// The store as one writer has it open.
private struct WriterStore {
    let writer: Int
    let session: Session
    private(set) var round: Int

    /// Finishes the round that a killed process may have left.
    init(_ writer: Int, _ session: Session) throws {
        self.writer = writer
        self.session = session
        let upper = try session.notes(in: [1])
        try upper.load()
        round = upper[id: writer].flatMap { Int($0.title) } ?? 0
        try writeRound(in: [1, 3])
    }

    mutating func goRound() throws -> Int {
        round += 1
        try writeRound(in: [1])
        try writeRound(in: [1, 3])
        switch writer % 4 {
        case 0: try movePhoto()
        case 1: try addOrRemovePhotos()
        case 2: try makeOrRemoveBox()
        default:
            let name = round.isMultiple(of: 2) ? "Renamed \(writer)" : "Renamed \(writer) again"
            try Step.renameBox(200 + writer, to: name, on: .projects).perform(in: session)
        }
        return round
    }

    private func writeRound(in path: [Int]) throws {
        let note = Note(id: writer, title: "\(round)")
        try Step.updateNote(note, in: path).perform(in: session)
    }

    private func has(_ photo: String, in path: [Int]) throws -> Bool {
        let photos = try session.photos(in: path)
        try photos.load()
        return photos.items.contains { $0.name == photo }
    }

    private func movePhoto() throws {
        let own = "own \(writer)"
        for (path, other) in [([1], [2]), ([2], [1])] where try has(own, in: path) {
            do {
                return try Step.transferPhotos([own], from: path, to: other).perform(in: session)
            } catch let error as DirectoryError where error.code == .itemNotFound {
                // Another process has just ended the transfer of one that was killed.
                return
            } catch is Refusal {
                return
            }
        }
    }

    private func addOrRemovePhotos() throws {
        let batch = (0..<Writers.batch).map { "batch \(writer) \($0)" }
        let step: Step =
            try has(batch[0], in: [1])
            ? .removePhotos(batch, from: [1]) : .importPhotos(batch, into: [1])
        try step.perform(in: session)
    }

    private func makeOrRemoveBox() throws {
        let box = Box(id: 100 + writer, folderName: "Made \(writer)")
        try session.projects.load()
        guard session.projects[id: box.id] == nil else {
            try Step.removeBox(box.id, from: .projects).perform(in: session)
            // What was open in the box is not what the next one of this name will hold.
            return session.release()
        }
        try Step.appendBox(box, on: .projects).perform(in: session)
        try Step.appendNote(.milk, in: [box.id]).perform(in: session)
    }
}

/// A copy of the store.
struct CopiedStore {
    private let tree: Tree
    private let findings: [Finding]

    init(at folder: URL) throws {
        let session = try Session(at: folder, on: ProcessFileSystem(LocalFileSystem()))
        findings = try session.findings()
        tree = try session.tree()
    }

    /// What cannot be so in any committed state between two, whose rounds are given.
    func faults(since before: [Int], _ after: [Int]) throws -> [String] {
        var faults = findings.map(\.message)
        let (upper, lower) = (try tree[[1]].notes, try tree[[1, 3]].notes)
        let photos = try tree[[1]].photos.map(\.name) + tree[[2]].photos.map(\.name)
        for writer in 0..<Writers.count {
            let (high, low) = (Self.round(writer, in: upper), Self.round(writer, in: lower))
            if high != low && high != low + 1 {
                faults.append("\(writer): \(high) above, \(low) below")
            }
            if low < before[writer] || high > after[writer] + 1 {
                faults.append("\(writer): \(low) is not from \(before[writer]) to \(after[writer])")
            }
            let own = photos.count { $0 == "own \(writer)" }
            let batch = photos.count { $0.hasPrefix("batch \(writer) ") }
            if own != 1 { faults.append("the photo of \(writer) is there \(own) times") }
            if ![0, Writers.batch].contains(batch) {
                faults.append("\(batch) photos of \(writer)")
            }
        }
        for node in tree.projects where node.box.id >= 100 {
            let expected: [[Note]] = node.box.id >= 200 ? [[.eggs]] : [[], [.milk]]
            if !expected.contains(node.notes) { faults.append("\(node)") }
        }
        if tree.projects.count(where: { $0.box.id >= 200 }) != Writers.count / 4 {
            faults.append("a box is missing")
        }
        return faults
    }

    private static func round(_ writer: Int, in notes: [Note]) -> Int {
        notes.first { $0.id == writer }.flatMap { Int($0.title) } ?? -1
    }
}
