import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// A write to several collections of a small store, and what the store is before and after it.
enum JointScenario: CaseIterable, CustomTestStringConvertible {
    case parentAndChild, childrenOfTwo, threeLevels, renamedWithChild, swappedNames, newContainer
    case removedBesideChild, importsBesideRemoval, takenOver, newInside, newAndRenamed, newInNew

    /// 4 random ones in the gate; in a sample one, in the full size all.
    static let some = Sweep.cases(allCases, sample: 1, gate: 4)

    var testDescription: String { "\(self)" }

    /// Whether the names of the folders change.
    var movesFolders: Bool { ![.parentAndChild, .childrenOfTwo, .threeLevels].contains(self) }

    /// Whether more than one index is changed that others may see before the write is decided.
    var hasSeveralIndexes: Bool { self != .newInNew }

    private var imports: Bool {
        switch self {
        case .newContainer, .importsBesideRemoval, .newInside, .newAndRenamed, .newInNew: true
        default: false
        }
    }

    func run(_ boxes: Directory<Box>) throws {
        guard imports else { return try boxes.write { try change(&$0, []) } }
        let stage = try boxes.makeStage()
        for text in ["new", "other"] { try stage.write(Data(text.utf8), name: "\(text).jpg") }
        try boxes.write(importing: stage) { try change(&$0, $1) }
    }

    func change(_ draft: inout Directory<Box>.Draft, _ assets: [StagedAsset]) throws {
        switch self {
        case .parentAndChild:
            try draft.append(Box(id: 9, folderName: "Nine"))
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        case .childrenOfTwo:
            for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(.salt) } }
        case .threeLevels:
            try draft.append(Box(id: 9, folderName: "Nine"))
            try draft.write(.parts, of: 1) { parts in
                try parts.append(Box(id: 8, folderName: "Eight"))
                try parts.write(.notes, of: 1) { try $0.append(.salt) }
            }
        case .renamedWithChild:
            try draft.update(id: 1) { $0.folderName = "Other" }
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
            try draft.write(.parts, of: 1) { parts in
                try parts.update(id: 1) { $0.folderName = "Other" }
                try parts.write(.notes, of: 1) { try $0.append(.salt) }
            }
        case .swappedNames:
            try draft.update(id: 1) { $0.folderName = "Two" }
            try draft.update(id: 2) { $0.folderName = "One" }
            for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(Note(id + 10)) } }
        case .newContainer:
            try draft.append(Box(id: 9, folderName: "Nine"))
            try draft.write(.notes, of: 9) { try $0.append(.salt) }
            try draft.write(.photos, of: 9) { photos in
                for asset in assets { try photos.append(Photo(asset), file: asset) }
            }
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        case .removedBesideChild:
            try draft.remove(id: 2)
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        case .takenOver:
            try draft.remove(id: 2)
            try draft.append(Box(id: 9, folderName: "Two"))
            for id in [1, 9] { try draft.write(.notes, of: id) { try $0.append(.salt) } }
        case .newInside:
            try draft.write(.parts, of: 1) { parts in
                try parts.append(Box(id: 5, folderName: "Five"))
                try parts.write(.photos, of: 5) { photos in
                    for asset in assets { try photos.append(Photo(asset), file: asset) }
                }
                try parts.remove(id: 1)
            }
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        case .newInNew:
            try draft.append(Box(id: 9, folderName: "Nine"))
            try draft.write(.photos, of: 9) { try $0.append(Photo(assets[0]), file: assets[0]) }
            try draft.write(.parts, of: 9) { parts in
                try parts.append(Box(id: 4, folderName: "Empty"))
                try parts.append(Box(id: 5, folderName: "Five"))
                try parts.write(.notes, of: 5) { try $0.append(.milk) }
                try parts.write(.photos, of: 5) { try $0.append(Photo(assets[1]), file: assets[1]) }
            }
        case .newAndRenamed:
            try draft.update(id: 1) { $0.folderName = "Other" }
            try draft.append(Box(id: 9, folderName: "One"))
            for (id, asset) in zip([9, 1], assets) {
                try draft.write(.photos, of: id) { try $0.append(Photo(asset), file: asset) }
                try draft.write(.notes, of: id) { try $0.append(.salt) }
            }
        case .importsBesideRemoval:
            try draft.remove(id: 2)
            try draft.write(.photos, of: 1) { photos in
                photos.removeAll { _ in true }
                for asset in assets { try photos.append(Photo(asset), file: asset) }
            }
        }
    }
}

/// A store of boxes that have notes, photographs and boxes.
struct JointStore {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let boxes = try sandbox.twoBoxes()
        for id in 1...2 { try boxes.child(.photos, of: id).insert(Data("photo \(id)".utf8)) }
        let parts = try boxes.child(.parts, of: 1)
        try parts.append(Box(id: 1, folderName: "Part"))
        try parts.child(.notes, of: 1).append(.eggs)
        try boxes.close()
    }

    /// The store as another process sees it.
    func boxes(_ path: String = "", on process: ProcessFileSystem = .init(LocalFileSystem())) throws
        -> Directory<Box>
    {
        try Directory<Box>(at: sandbox.url(path), index: "boxes.json", on: process)
    }

    /// Everything in the collections, one line for each item, as a process reads it that ends with this call.
    func contents(_ path: String = "") throws -> Set<String> {
        var lines: Set<String> = []
        try add(boxes(path), "", to: &lines)
        return lines
    }

    private func add(_ boxes: Directory<Box>, _ path: String, to lines: inout Set<String>) throws {
        try boxes.load()
        boxes.core.background.wait()
        for box in boxes.items {
            let place = "\(path)\(box.id) \(box.folderName)/"
            lines.insert(place)
            let notes = try boxes.child(.notes, of: box.id)
            try notes.load()
            for note in notes.items { lines.insert("\(place) \(note.title)") }
            let photos = try boxes.child(.photos, of: box.id)
            try photos.load()
            photos.core.background.wait()
            for photo in photos.items {
                let text = String(decoding: try photos.data(of: photo.id), as: UTF8.self)
                lines.insert("\(place) \(text)")
            }
            if path.isEmpty { try add(boxes.child(.parts, of: box.id), place, to: &lines) }
        }
    }

    /// Expects that nothing is wrong in the store and nothing is left over.
    func expectClean(
        _ comment: Comment, in path: String = "", at location: SourceLocation = #_sourceLocation
    ) throws {
        try tidy(boxes(path), isTop: true)
        let findings = try Directory.verify(below: sandbox.url(path))
        #expect(findings.isEmpty, comment, sourceLocation: location)
        let left = try sandbox.leftovers(path)
        // The owner of a stage is this process, which lives.
        let stages = left.filter { $0.contains("/owner.") }
            .map { String($0[..<($0.range(of: "/owner.")?.lowerBound ?? $0.endIndex)]) }
        let others = left.filter { path in
            !stages.contains { path.hasPrefix($0) || $0.hasPrefix(path + "/") }
        }
        #expect(others.isEmpty, comment, sourceLocation: location)
    }

    /// Locks every index once, which removes what dead processes left, and waits for deletions.
    private func tidy(_ boxes: Directory<Box>, isTop: Bool) throws {
        try boxes.write { _ in }
        for box in boxes.items {
            try boxes.child(.notes, of: box.id).write { _ in }
            let photos = try boxes.child(.photos, of: box.id)
            try photos.write { _ in }
            try photos.checkpoint()
            if isTop { try tidy(boxes.child(.parts, of: box.id), isTop: false) }
        }
        try boxes.checkpoint()
    }

    /// What the store is before `write` and after it.
    static func states(of write: JointScenario) throws -> (before: Set<String>, after: Set<String>)
    {
        let store = try JointStore()
        let before = try store.contents()
        let boxes = try store.boxes()
        try write.run(boxes)
        try boxes.close()
        return (before, try store.contents())
    }
}

/// Decides about the calls of a process from a moment on.
final class CallsFromNow: Sendable {
    private let state = Mutex<(count: Int?, fate: [Int: ProcessFileSystem.Fate])>((nil, [:]))

    init(_ fate: [Int: ProcessFileSystem.Fate]) { state.withLock { $0.fate = fate } }

    func begin() { state.withLock { $0.count = 0 } }

    var count: Int { state.withLock { $0.count ?? 0 } }

    func next() -> ProcessFileSystem.Fate {
        state.withLock { state in
            guard let number = state.count else { return .works }
            state.count = number + 1
            return state.fate[number] ?? .works
        }
    }

    var process: ProcessFileSystem {
        ProcessFileSystem(LocalFileSystem()) { [self] _, _ in next() }
    }
}
