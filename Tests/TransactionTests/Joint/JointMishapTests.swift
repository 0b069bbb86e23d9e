import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Writes to several collections that meet kept drafts, retries, hand edits and waiting processes.
@Suite(.timeLimit(.minutes(30))) struct JointMishapTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.twoBoxes()
    }

    private func notes(_ folder: String) throws -> [String] {
        let notes = try Directory<OtherNote>(at: sandbox.url(folder), index: "notes.json")
        try notes.load()
        return notes.items.map(\.title)
    }

    /// The store as another process opens it.
    private func opened(on process: ProcessFileSystem = .init(LocalFileSystem())) throws
        -> Directory<Box>
    {
        var options = DirectoryOptions()
        options.lockTimeout = .milliseconds(500)
        return try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
    }

    /// A process that is killed after its first rename with `part` in its line, if `isBegun`.
    private func killed(
        afterRename part: String, isBegun: @escaping @Sendable () -> Bool = { true }
    )
        -> ProcessFileSystem
    {
        let isOver = Atomic(false)
        return ProcessFileSystem(LocalFileSystem()) { _, call in
            if isOver.load(ordering: .relaxed) { return .killed }
            if isBegun(), call.hasPrefix("rename"), call.contains(part) {
                isOver.store(true, ordering: .relaxed)
            }
            return .works
        }
    }

    /// Kills a write to three collections after it was decided.
    private func killDecidedWrite(swapping: Bool = false) throws {
        try boxes.close()
        let dead = try opened(on: JointKill.decided.process)
        try? dead.write { draft in
            if swapping {
                try draft.update(id: 1) { $0.folderName = "Two" }
                try draft.update(id: 2) { $0.folderName = "One" }
            } else {
                try draft.append(Box(id: 9, folderName: "Nine"))
            }
            for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(Note(id + 10)) } }
        }
    }

    @Test func aKeptDraftKeepsNoLock() throws {
        var child: Directory<Note>.Draft?
        let kept = try boxes.write { draft in
            try draft.write(.notes, of: 1) { child = $0 }
            return draft
        }
        let others = try opened()
        try others.append(Box(id: 7, folderName: "Seven"))
        try others.child(.notes, of: 1).append(.salt)
        var late = kept
        expectError(.nestedWrite) { try late.write(.notes, of: 2) { try $0.append(.salt) } }
        expectError(.nestedWrite) { try boxes.write { $0 = kept } }
        withExtendedLifetime(child) {}
    }

    @Test func aDraftBelongsToItsCollection() throws {
        expectError(.nestedWrite) {
            try boxes.write { draft in
                var one: Directory<Note>.Draft?
                try draft.write(.notes, of: 1) { one = $0 }
                try draft.write(.notes, of: 2) { notes in
                    if let one { notes = one }
                    try notes.append(.salt)
                }
            }
        }
        #expect(try notes("One") == ["Eggs"] && notes("Two") == ["Milk"])
    }

    @Test func aRetryWithTheSameStageHasNothingOfTheFirstTry() throws {
        let stage = try boxes.makeStage()
        try stage.write(Data("a".utf8), name: "a.jpg")
        func fill(_ id: Int, _ folder: String, _ note: Note, _ fileName: String) throws {
            try boxes.write(importing: stage) { draft, assets in
                try draft.append(Box(id: id, folderName: folder))
                try draft.write(.notes, of: id) { try $0.append(contentsOf: [note]) }
                try draft.write(.pieces, of: id) { pieces in
                    try pieces.append(Piece(id: 1, fileName: fileName), file: assets[0])
                }
            }
        }
        expectError(.invalidName) { try fill(3, "New", .salt, "a/b") }
        expectError(.invalidName) {
            try boxes.write(importing: stage) { draft, assets in
                try draft.update(id: 1) { $0.folderName = "Two" }
                try draft.update(id: 2) { $0.folderName = "One" }
                try draft.write(.pieces, of: 1) { pieces in
                    try pieces.append(Piece(id: 1, fileName: "a/b"), file: assets[0])
                }
            }
        }
        #expect(boxes.core.live.all == [stage.name])
        try fill(4, "Newer", .milk, "a.jpg")
        #expect(try notes("Newer") == ["Milk"] && notes("One") == ["Eggs"])
        #expect(try Directory.verify(below: sandbox.url).isEmpty && sandbox.leftovers().isEmpty)
    }

    @Test func aStageWhoseFilesGoToOtherCollectionsIsRemoved() throws {
        let stage = try boxes.makeStage()
        for text in ["a", "b"] { try stage.write(Data(text.utf8), name: "\(text).jpg") }
        try boxes.write(importing: stage) { draft, assets in
            try draft.write(.photos, of: 1) { try $0.append(Photo(assets[0]), file: assets[0]) }
        }
        #expect(boxes.core.live.all.isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func repairLeavesFoldersOfItemsThatWait() throws {
        try killDecidedWrite(swapping: true)
        let boxes = try opened()
        try sandbox.withoutCollection("notes", at: "/folder-1/") {
            expectError(.unfinishedChange) { try boxes.write { _ in } }
            #expect(try boxes.repair().contains { $0.finding.kind == .leftoverTransaction })
            try boxes.write { _ in }
            return "Two/"
        }
        for id in 1...2 {
            let notes = try boxes.child(.notes, of: id)
            try notes.load()
            #expect(notes.count > 0)
        }
    }

    /// The process that waits gets the lock of a collection whose folder is parked.
    @Test(arguments: Sweep.cases(["/folder-2", " committed"], sample: 1))
    func aProcessThatWaitedEndsTheWriteFromAParkedFolder(_ part: String) throws {
        try boxes.close()
        let hasWaited = Atomic(false)
        let waiter = ProcessFileSystem(LocalFileSystem()) { [self] _, call in
            guard call.hasPrefix("lock "), call.contains("One/.notes.lock"),
                !hasWaited.exchange(true, ordering: .relaxed)
            else { return .works }
            let isParked = Atomic(false)
            let writer = ProcessFileSystem(LocalFileSystem()) { _, call in
                if isParked.load(ordering: .relaxed), call.hasPrefix("sync") || part == "/folder-2"
                {
                    return .killed
                }
                if call.hasPrefix("rename") || call.decidesTree, call.contains(part) {
                    isParked.store(true, ordering: .relaxed)
                }
                return .works
            }
            try? opened(on: writer).write { draft in
                try draft.update(id: 1) { $0.folderName = "Two" }
                try draft.update(id: 2) { $0.folderName = "One" }
                for id in 1...2 { try draft.write(.notes, of: id) { try $0.append(Note(id + 10)) } }
            }
            return .works
        }
        let notes = try Directory<Note>(at: sandbox.url("One"), index: "notes.json", on: waiter)
        try? notes.append(Note(id: 99, title: "Waiter"))
        let boxes = try opened()
        try boxes.write { _ in }
        var found: [[Int]] = []
        for id in 1...2 {
            let notes = try boxes.child(.notes, of: id)
            try notes.load()
            found.append(notes.items.map(\.id).filter { $0 != 99 })
        }
        let isDone = boxes[id: 1]?.folderName == "Two"
        #expect(found == (isDone ? [[1, 11], [2, 12]] : [[1], [2]]))
        #expect(try Directory.verify(below: sandbox.url).isEmpty)
    }

    @Test(arguments: [false, true]) func aFolderRenamedByHandAndBackStopsNothing(_ isOpened: Bool)
        throws
    {
        try killDecidedWrite()
        try sandbox.move("One", to: "Uno")
        if isOpened {
            let notes = try Directory<OtherNote>(at: sandbox.url("Uno"), index: "notes.json")
            try notes.append(.pears)
            try notes.close()
        } else {
            expectError(.unfinishedChange) { try opened().write { _ in } }
        }
        try sandbox.move("Uno", to: "One")
        let boxes = try opened()
        try boxes.write { _ in }
        #expect(boxes.count == 3)
        #expect(try notes("One") == ["Eggs", "Note 11"] + (isOpened ? ["Pears"] : []))
        #expect(try notes("Two") == ["Milk", "Note 12"])
    }

    @Test func aChildThatCannotBeReadFailsAsOftenAsItIsTried() throws {
        try sandbox.write("[not json at all", to: "One/notes.json")
        var runs = 0
        try opened().write { draft in
            runs += 1
            for _ in 1...2 {
                expectError(.damagedIndex) {
                    try draft.write(.notes, of: 1) { try $0.append(.salt) }
                }
            }
            try draft.append(Box(id: 5, folderName: "Five"))
        }
        #expect(runs == 1)
    }

    /// The closure runs again, on a new draft and with all files of its stage.
    @Test func theClosureRunsAgainWhileSomebodyHasAChild() throws {
        let files = LocalFileSystem()
        let folder = try files.openFolder(at: sandbox.url("One").path)
        var lock: Handle? = try files.openFile(".notes.lock", in: folder, for: .update)
        #expect(try lock.map(files.tryLock) == true)
        let stage = try boxes.makeStage()
        try stage.write(Data("a".utf8), name: "a.jpg")
        var runs = 0
        try boxes.write(importing: stage) { draft, assets in
            runs += 1
            #expect(draft.items.count == 2)
            try draft.append(Box(id: 3, folderName: "New"))
            try draft.write(.photos, of: 3) { try $0.append(Photo(assets[0]), file: assets[0]) }
            // What the closure does with the error makes no difference.
            try? draft.write(.notes, of: 1) { try $0.append(.salt) }
            lock = nil
        }
        #expect(runs == 2)
        #expect(try notes("One") == ["Eggs", "Salt"])
        #expect(boxes.count == 3)
    }

    /// An item gets its missing file back, and its line stays the same.
    @Test func linesThatDoNotChangeDecideNothing() throws {
        let photo = try boxes.child(.photos, of: 1).insert(Data("photo".utf8), name: "p.jpg")
        try boxes.close()
        try sandbox.remove("One/photos/\(photo.fileName)")
        let boxes = try opened(on: killed(afterRename: "/.staging/photos~"))
        let stage = try boxes.makeStage()
        try stage.write(Data("again".utf8), name: "p.jpg")
        try? boxes.write(importing: stage) { draft, assets in
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
            _ = try draft.write(.photos, of: 1) { photos in
                try photos.update(id: photo.id, file: assets[0]) { _ in }
            }
        }
        try opened().write { _ in }
        #expect(try notes("One") == ["Eggs"])
    }

    @Test func undoMeetsAContainerThatOthersRemoved() throws {
        try boxes.close()
        var options = DirectoryOptions()
        options.undoLimit = 10
        let boxes = try sandbox.boxes(options: options)
        try boxes.write { draft in
            try draft.append(Box(id: 9, folderName: "Nine"))
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        }
        let others = try opened()
        try others.remove(id: 1)
        expectError(.undoConflict) { try boxes.undo() }
    }
}
