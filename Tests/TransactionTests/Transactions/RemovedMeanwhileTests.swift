import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What a process is told when another one removes, while it works, what it works in.
struct RemovedMeanwhileTests {
    let sandbox: Sandbox
    private let interruption = Interruption()

    init() throws { sandbox = try Sandbox() }

    /// The boxes One and Two, each with a photograph and a note.
    ///
    /// They belong to a process that is interrupted before a call.
    private func boxes(beforeCall prefix: String, _ suffix: String) throws -> Directory<Box> {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options,
            on: interruption.process(beforeCall: prefix, suffix))
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        for id in 1...2 {
            try boxes.child(.photos, of: id).insert(Data([UInt8(id)]))
            try boxes.child(.notes, of: id).append(.eggs)
        }
        return boxes
    }

    /// Lets another process remove a box when the call is reached.
    private func removeMeanwhile(_ id: Int) {
        interruption.set { [sandbox] in
            let others = try Directory<Box>(
                at: sandbox.url, index: "boxes.json", on: ProcessFileSystem(LocalFileSystem()))
            try others.remove(id: id)
            try others.checkpoint()
        }
    }

    @Test(
        arguments: Sweep.cases(
            [
                (1, "open", "/One/.photos.lock to write"),
                (2, "open", "/Two/.photos.lock to write"),
                (1, "lock", "/.boxes.lock"), (2, "lock", "/.boxes.lock"),
            ], sample: 1))
    func transferSaysThatAContainerWasRemoved(_ removed: Int, _ call: String, _ suffix: String)
        throws
    {
        let boxes = try boxes(beforeCall: call, suffix)
        let (one, two) = (try boxes.child(.photos, of: 1), try boxes.child(.photos, of: 2))
        try one.load()
        let id = try #require(one.items.first?.id)
        removeMeanwhile(removed)
        expectError(.containerRemoved) { try one.transfer([id], to: two) }
        #expect(interruption.hasRun)
        try boxes.load()
        let rest = try boxes.child(.photos, of: 3 - removed)
        try rest.load()
        #expect(rest.count == 1)
        #expect(try rest.verify() == [])
    }

    @Test func firstRecordOfAJournalSaysThatTheContainerWasRemoved() throws {
        let boxes = try boxes(beforeCall: "open", "/One/notes.json")
        let notes = try boxes.child(.notes, of: 1)
        try notes.checkpoint()
        removeMeanwhile(1)
        expectError(.containerRemoved) { try notes.append(.milk) }
        #expect(interruption.hasRun)
    }

    @Test func stagingSaysThatTheContainerWasRemoved() throws {
        let boxes = try boxes(beforeCall: "create", "/1")
        let stage = try boxes.child(.photos, of: 1).makeStage()
        removeMeanwhile(1)
        expectError(.containerRemoved) { try stage.write(Data([1])) }
        #expect(interruption.hasRun)
    }

    /// The folder of a removed container is deleted file by file.
    @Test func folderThatIsBeingDeletedIsNotRepaired() throws {
        let photos = try boxes(beforeCall: "lock ", "/One/.photos.lock").child(.photos, of: 1)
        try photos.load()
        interruption.set { [sandbox] in
            try sandbox.move("One", to: "removed")
            try sandbox.remove("removed/photos.json")
        }
        expectError(.containerRemoved) { try photos.repair() }
        #expect(interruption.hasRun && !sandbox.exists("removed/photos.recovered"))
    }

    @Test func repairGoesOnWhereItsFolderIsAfterARename() throws {
        let boxes = try boxes(beforeCall: "lock ", "/One/.photos.lock")
        let photos = try boxes.child(.photos, of: 1)
        try photos.load()
        try sandbox.write("x", to: "One/photos/orphan.jpg")
        interruption.set { [sandbox] in
            let others = try Directory<Box>(
                at: sandbox.url, index: "boxes.json", on: ProcessFileSystem(LocalFileSystem()))
            try others.update(Box(id: 1, folderName: "Uno"))
        }
        #expect(try photos.repair().map(\.finding.kind) == [.orphanAsset])
        #expect(interruption.hasRun)
        #expect(photos.count == 2)
        #expect(sandbox.exists("Uno/photos/orphan.jpg") && !sandbox.exists("One"))
    }

    @Test func firstImportIsNoUnknownFolderOfTheContainersBesideIt() throws {
        let process = interruption.process(
            beforeCall: "rename", "to \(sandbox.url.path)/photos.json")
        let photos = try Directory<Photo>(at: sandbox.url, index: "photos.json", on: process)
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", on: ProcessFileSystem(LocalFileSystem()))
        try boxes.append(Box(id: 1, folderName: "One"))
        interruption.set {
            let (findings, repairs) = (try boxes.verify(), try boxes.repair())
            #expect(findings == [])
            #expect(repairs == [])
        }
        let photo = try photos.insert(Data([1]))
        #expect(interruption.hasRun)
        #expect(try photos.data(of: photo.id) == Data([1]))
    }
}

extension RemovedMeanwhileTests {
    @Test(arguments: [true, false])
    func recoveryLeavesAStageToTheProcessThatRemovesOrFillsIt(_ isRemoved: Bool) throws {
        let stage = "store/.staging/photos~\(RandomName.digits())"
        let process = interruption.process(beforeCall: "remove", sandbox.url(stage).path)
        let photos = try Directory<Photo>(
            at: sandbox.url("store"), index: "photos.json", on: process)
        try photos.insert(Data([1]))
        try sandbox.makeFolder(stage)
        interruption.set { [sandbox] in
            if isRemoved {
                try sandbox.remove(stage)
            } else {
                try sandbox.write("a", to: "\(stage)/1")
            }
        }
        try photos.load()
        #expect(interruption.hasRun)
        #expect(sandbox.exists(stage) == !isRemoved)
    }

    @Test func stageWhoseProcessWasKilledBeforeItNamedItselfIsRemovedAtOnce() throws {
        let photos = try sandbox.photos("store")
        try photos.insert(Data([1]))
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.contains("/owner.") ? .killed : .works
        }
        let killed = try Directory<Photo>(
            at: sandbox.url("store"), index: "photos.json", on: process)
        #expect(throws: (any Error).self) { try killed.makeStage() }
        #expect(try !sandbox.leftovers("store").isEmpty)
        try photos.load()
        #expect(try sandbox.leftovers("store").isEmpty)
    }
}
