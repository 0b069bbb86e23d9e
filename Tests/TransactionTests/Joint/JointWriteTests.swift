import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Writes that reach into the collections of items.
@Suite(.timeLimit(.minutes(30))) struct JointWriteTests {
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

    private func expectClean(at location: SourceLocation = #_sourceLocation) throws {
        try boxes.checkpoint()
        #expect(try boxes.verify() == [], sourceLocation: location)
        #expect(try Directory.verify(below: sandbox.url).isEmpty, sourceLocation: location)
        for folder in ["", "One", "Two", "New"] where sandbox.exists(folder) {
            #expect(try sandbox.leftovers(folder).isEmpty, "\(folder)", sourceLocation: location)
        }
    }

    @Test func parentAndChildChangeTogether() throws {
        let open = try boxes.child(.notes, of: 1)
        try open.load()
        try boxes.write { draft in
            try draft.append(Box(id: 3, folderName: "New"))
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
            try draft.write(.notes, of: 1) { notes in
                #expect(notes.items.map(\.title) == ["Eggs", "Salt"])
                try notes.update(id: 1) { $0.title = "Six eggs" }
            }
            try draft.write(.notes, of: 2) { try $0.remove(id: 2) }
        }
        #expect(boxes.count == 3)
        #expect(open.items.map(\.title) == ["Six eggs", "Salt"])
        #expect(try notes("One") == ["Six eggs", "Salt"])
        #expect(try notes("Two") == [])
        try expectClean()
    }

    @Test func journalsOfSmallIndexesStayForAMoment() throws {
        var options = DirectoryOptions()
        options.journalTime = .seconds(2)
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options,
            on: ProcessFileSystem(LocalFileSystem()))
        let notes = try boxes.child(.notes, of: 1)
        try boxes.write { draft in
            try draft.move(fromOffsets: [0], toOffset: 2)
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        }
        let journals = [".boxes.journal", "One/.notes.journal"]
        #expect(journals.allSatisfy { sandbox.exists($0) })
        let end = ContinuousClock.now + .seconds(60)
        while journals.contains(where: { sandbox.exists($0) }), ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(journals.allSatisfy { !sandbox.exists($0) })
        #expect(try sandbox.text("One/notes.json").contains("Salt"))
        withExtendedLifetime(notes) {}
    }

    @Test func aCollectionWhoseChangeFailedIsStillTheSame() throws {
        struct Failure: Error {}
        try boxes.write { draft in
            try? draft.write(.notes, of: 1) { notes in
                try notes.append(.salt)
                throw Failure()
            }
            expectError(.optionsDiffer) {
                try draft.write(Child<OtherNote>("notes"), of: 1) { _ in }
            }
            try draft.write(.notes, of: 1) { try $0.append(.milk) }
        }
        #expect(try boxes.notes(of: 1) == [.eggs, .milk])
    }

    @Test func nothingChangesIfTheClosureThrows() throws {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try boxes.write { draft in
                try draft.remove(id: 2)
                try draft.write(.notes, of: 1) { try $0.append(.salt) }
                throw Refusal()
            }
        }
        // What a closure inside refuses is not in its draft.
        try boxes.write { draft in
            try? draft.write(.notes, of: 1) { notes in
                try notes.append(.salt)
                throw Refusal()
            }
            try draft.update(id: 1) { $0.folderName = "New" }
        }
        #expect(try notes("New") == ["Eggs"])
        #expect(boxes.count == 2)
        try expectClean()
    }

    @Test func aContainerThatIsRenamedOrRemovedTakesItsCollectionsAlong() throws {
        try boxes.write { draft in
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
            try draft.update(id: 1) { $0.folderName = "Two" }
            try draft.write(.notes, of: 2) { try $0.append(.salt) }
            try draft.update(id: 2) { $0.folderName = "One" }
        }
        #expect(try notes("Two") == ["Eggs", "Salt"])
        #expect(try notes("One") == ["Milk", "Salt"])
        try boxes.write { draft in
            try draft.write(.notes, of: 1) { try $0.append(.milk) }
            try draft.remove(id: 1)
        }
        #expect(!sandbox.exists("Two"))
        try expectClean()
    }

    @Test func aNewContainerComesWithItsCollections() throws {
        try boxes.write { draft in
            try draft.append(Box(id: 3, folderName: "New"))
            try draft.write(.notes, of: 3) { try $0.append(.salt) }
            try draft.write(.parts, of: 3) { parts in
                try parts.append(Box(id: 1, folderName: "Part"))
                try parts.append(Box(id: 2, folderName: "Empty"))
                try parts.write(.notes, of: 1) { try $0.append(.milk) }
            }
        }
        #expect(try notes("New") == ["Salt"])
        #expect(try notes("New/Part") == ["Milk"])
        #expect(sandbox.exists("New/Empty"))
        let parts = try boxes.child(.parts, of: 3)
        try parts.child(.notes, of: 2).append(.eggs)
        try expectClean()
        #expect(try sandbox.leftovers("New/Part").isEmpty)
    }

    @Test func stagedFilesGoAnywhere() throws {
        let stage = try boxes.makeStage()
        for text in ["a", "b", "c"] { try stage.write(Data(text.utf8), name: "\(text).jpg") }
        try boxes.write(importing: stage) { draft, assets in
            try draft.append(Box(id: 3, folderName: "New"))
            for (id, asset) in zip([3, 3, 1], assets) {
                try draft.write(.photos, of: id) { photos in
                    try photos.append(Photo(asset), file: asset)
                }
            }
        }
        for (id, texts) in [(3, ["a", "b"]), (1, ["c"])] {
            let photos = try boxes.child(.photos, of: id)
            try photos.load()
            #expect(
                try photos.items.map { try photos.data(of: $0.id) } == texts.map { Data($0.utf8) })
        }
        try expectClean()
    }

    @Test func aFailedImportGivesAllFilesBackToTheStage() throws {
        let stage = try boxes.makeStage()
        for text in ["a", "b"] { try stage.write(Data(text.utf8), name: "\(text).jpg") }
        // What is in the way is seen only when the folder moves to its place.
        try sandbox.write("", to: "New/strange")
        #expect(throws: DirectoryError.self) {
            try boxes.write(importing: stage) { draft, assets in
                try draft.append(Box(id: 3, folderName: "New"))
                for (id, asset) in zip([3, 1], assets) {
                    try draft.write(.photos, of: id) { photos in
                        try photos.append(Photo(asset), file: asset)
                    }
                }
            }
        }
        try boxes.write(importing: stage) { draft, assets in
            try draft.write(.photos, of: 1) { photos in
                for asset in assets { try photos.append(Photo(asset), file: asset) }
            }
        }
        let photos = try boxes.child(.photos, of: 1)
        try photos.load()
        #expect(photos.count == 2)
    }

    @Test func oneUndoTakesAllBack() throws {
        var options = DirectoryOptions()
        options.undoLimit = 10
        try boxes.close()
        let boxes = try sandbox.boxes(options: options)
        let stage = try boxes.makeStage()
        try stage.write(Data("a".utf8), name: "a.jpg")
        try boxes.child(.photos, of: 2).insert(Data("old".utf8))
        try boxes.write(importing: stage) { draft, assets in
            try draft.append(Box(id: 3, folderName: "New"))
            try draft.write(.photos, of: 3) { try $0.append(Photo(assets[0]), file: assets[0]) }
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
            try draft.write(.photos, of: 2) { photos in photos.removeAll { _ in true } }
        }
        let old = try boxes.child(.photos, of: 2)
        #expect(old.isEmpty)
        for _ in 1...2 {
            try boxes.undo()
            #expect(boxes.count == 2 && !sandbox.exists("New"))
            #expect(try notes("One") == ["Eggs"])
            #expect(try old.items.map { try old.data(of: $0.id) } == [Data("old".utf8)])
            try boxes.redo()
            #expect(try notes("One") == ["Eggs", "Salt"])
            let new = try boxes.child(.photos, of: 3)
            try new.load()
            #expect(try new.items.map { try new.data(of: $0.id) } == [Data("a".utf8)])
            #expect(old.isEmpty)
        }
        try boxes.child(.notes, of: 1).update(id: 3) { $0.title = "Pepper" }
        expectError(.undoConflict) { try boxes.undo() }
        #expect(boxes.count == 3)
    }
}
