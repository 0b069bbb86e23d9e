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
        let boxes = try Directory<Box>(at: folder, index: "boxes.json")
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        let inner = try boxes.child(.boxes, of: 1)
        try inner.append(Box(id: 3, folderName: "Three"))
        let counters = (0..<Self.count).map { Note(id: $0, title: "0") }
        try boxes.child(.notes, of: 1).append(contentsOf: counters)
        try inner.child(.notes, of: 3).append(contentsOf: counters)
        let photos = try boxes.child(.photos, of: 1)
        for writer in 0..<Self.count {
            try photos.insert(Data("\(writer)".utf8), name: "own \(writer)")
        }
        for writer in 0..<Self.count where writer % 4 == 3 {
            try boxes.append(Box(id: 200 + writer, folderName: "Renamed \(writer)"))
            try boxes.child(.notes, of: 200 + writer).append(.eggs)
        }
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
                writer, at: folder, on: kind == .threads ? LocalFileSystem() : process)
            try store.recover()
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
    let boxes: Directory<Box>
    let upper: Directory<Note>
    let lower: Directory<Note>
    let photos: [Directory<Photo>]
    var round = 0

    init(_ writer: Int, at folder: URL, on fileSystem: any FileSystem) throws {
        self.writer = writer
        let boxes = try Directory<Box>(at: folder, index: "boxes.json", on: fileSystem)
        self.boxes = boxes
        upper = try boxes.child(.notes, of: 1)
        lower = try boxes.child(.boxes, of: 1).child(.notes, of: 3)
        photos = try [1, 2].map { try boxes.child(.photos, of: $0) }
    }

    /// Finishes the round that a killed process may have left.
    mutating func recover() throws {
        try upper.load()
        round = upper[id: writer].flatMap { Int($0.title) } ?? 0
        try lower.update(Note(id: writer, title: "\(round)"))
    }

    mutating func goRound() throws -> Int {
        round += 1
        try upper.update(Note(id: writer, title: "\(round)"))
        try lower.update(Note(id: writer, title: "\(round)"))
        switch writer % 4 {
        case 0: try movePhoto()
        case 1: try addOrRemovePhotos()
        case 2: try makeOrRemoveBox()
        default: try renameBox()
        }
        return round
    }

    private func movePhoto() throws {
        for album in photos { try album.load() }
        for (source, target) in [(photos[0], photos[1]), (photos[1], photos[0])] {
            if let photo = source.items.first(where: { $0.name == "own \(writer)" }) {
                do {
                    return try source.transfer([photo.id], to: target)
                } catch let error as DirectoryError where error.code == .itemNotFound {
                    // Another process has just ended the transfer of one that was killed.
                    return
                }
            }
        }
    }

    private func addOrRemovePhotos() throws {
        let album = photos[0]
        try album.load()
        let added = album.items.filter { $0.name == "batch \(writer)" }
        if added.isEmpty {
            let stage = try album.makeStage()
            for number in 0..<Writers.batch {
                try stage.write(Data("\(round) \(number)".utf8), name: "batch \(writer)")
            }
            try album.insert(stage)
        } else {
            try album.write { draft in for photo in added { try draft.remove(id: photo.id) } }
        }
    }

    private func makeOrRemoveBox() throws {
        let id = 100 + writer
        try boxes.load()
        if boxes[id: id] == nil {
            try boxes.append(Box(id: id, folderName: "Made \(writer)"))
            try boxes.child(.notes, of: id).append(.milk)
        } else {
            try boxes.remove(id: id)
        }
    }

    private func renameBox() throws {
        let name = round.isMultiple(of: 2) ? "Renamed \(writer)" : "Renamed \(writer) again"
        try boxes.update(id: 200 + writer) { $0.folderName = name }
    }
}

/// A copy of the store.
struct CopiedStore {
    private let boxes: Directory<Box>

    init(at folder: URL) throws {
        boxes = try Directory(
            at: folder, index: "boxes.json", on: ProcessFileSystem(LocalFileSystem()))
    }

    /// What cannot be so in any committed state between two, whose rounds are given.
    func faults(since before: [Int], _ after: [Int]) throws -> [String] {
        var faults = try boxes.verify().map(\.message)
        let inner = try boxes.child(.boxes, of: 1)
        faults += try inner.verify().map(\.message)
        let (upper, lower) = try (boxes.child(.notes, of: 1), inner.child(.notes, of: 3))
        for notes in [upper, lower] { faults += try notes.verify().map(\.message) }
        for writer in 0..<Writers.count {
            let (high, low) = (Self.round(writer, in: upper), Self.round(writer, in: lower))
            if high != low && high != low + 1 {
                faults.append("\(writer): \(high) above, \(low) below")
            }
            if low < before[writer] || high > after[writer] + 1 {
                faults.append("\(writer): \(low) is not from \(before[writer]) to \(after[writer])")
            }
        }
        return try faults + faultsOfPhotos() + faultsOfBoxes()
    }

    private static func round(_ writer: Int, in notes: Directory<Note>) -> Int {
        notes[id: writer].flatMap { Int($0.title) } ?? -1
    }

    private func faultsOfPhotos() throws -> [String] {
        var faults: [String] = []
        var names: [String] = []
        for id in [1, 2] {
            let album = try boxes.child(.photos, of: id)
            faults += try album.verify().map(\.message)
            for photo in album.items {
                names.append(photo.name)
                if try album.data(of: photo.id).count != photo.byteCount {
                    faults.append("\(photo.name) has other bytes")
                }
            }
        }
        for writer in 0..<Writers.count {
            let own = names.count { $0 == "own \(writer)" }
            let batch = names.count { $0 == "batch \(writer)" }
            if own != 1 { faults.append("the photo of \(writer) is there \(own) times") }
            if ![0, Writers.batch].contains(batch) {
                faults.append("\(batch) photos of \(writer)")
            }
        }
        return faults
    }

    private func faultsOfBoxes() throws -> [String] {
        var faults: [String] = []
        for box in boxes.items where box.id >= 100 {
            let notes = try boxes.child(.notes, of: box.id)
            faults += try notes.verify().map(\.message)
            let expected: [[Note]] = box.id >= 200 ? [[.eggs]] : [[], [.milk]]
            if !expected.contains(Array(notes.items)) {
                faults.append("\(box.folderName): \(Array(notes.items))")
            }
        }
        if boxes.items.count(where: { $0.id >= 200 }) != Writers.count / 4 {
            faults.append("a box is missing")
        }
        return faults
    }
}
