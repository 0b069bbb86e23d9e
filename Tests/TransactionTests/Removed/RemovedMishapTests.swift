import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// An item with a folder and a file.
private struct Folio: Container, Asset, Hashable {
    var id: Int
    var folderName: String
    var fileName: String
}

/// Removed items on a full volume, without access, and in several versions.
struct RemovedMishapTests {
    private static let store = URL(filePath: "/store")
    private static let options = DirectoryOptions(keepsRemoved: .days(30))

    private static func boxes(on process: ProcessFileSystem) throws -> Directory<Box> {
        try Directory(at: store, index: "boxes.json", options: options, on: process)
    }

    /// A disk with two boxes that were removed together, and with one that was removed alone.
    private func disk() throws -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        for id in 1...3 {
            try boxes.append(Box(id: id, folderName: "Box \(id)"))
            try boxes.child(.notes, of: id).append(.eggs)
        }
        try boxes.remove(id: 3)
        try boxes.remove(ids: [1, 2])
        boxes.core.background.wait()
        return disk
    }

    /// The user frees space because there is none.
    @Test func oneOfSeveralIsRemovedForGoodOnAFullVolume() throws {
        let disk = try disk()
        let process = ProcessFileSystem(disk) { _, line in
            let isWrite = ["write ", "make "].contains(where: line.hasPrefix)
            return isWrite ? .fails(.noSpace) : .works
        }
        let boxes = try Self.boxes(on: process)
        let two = try #require(try boxes.recentlyRemoved().first { $0.item.id == 2 })
        try boxes.removeForGood([two.id])
        #expect(try boxes.recentlyRemoved().map(\.item.id) == [1, 3])
        process.kill()
        try disk.buryOwners()
        let again = try Self.boxes(on: ProcessFileSystem(disk))
        #expect(try again.recentlyRemoved().map(\.item.id) == [1, 3])
        try again.bring(back: again.recentlyRemoved().map(\.id))
        #expect(again.items.map(\.id).sorted() == [1, 3])
        #expect(try again.notes(of: 1) == [.eggs])
        again.core.background.wait()
        #expect(try again.verify() == [])
    }

    /// Killed in the middle, the removed one is not listed with half of its contents.
    @Test func removalForGoodOnAFullVolumeIsAllOrNothing() throws {
        let image = try disk().image
        var sweep = Sweep(for: "a full volume")
        for call in sweep.numbers(below: 300, step: 18) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { number, line in
                if number >= call { return .killed }
                let isWrite = ["write ", "make "].contains(where: line.hasPrefix)
                return isWrite ? .fails(.noSpace) : .works
            }
            _ = try? {
                let boxes = try Self.boxes(on: process)
                let two = try boxes.recentlyRemoved().filter { $0.item.id == 2 }
                try boxes.removeForGood(two.map(\.id))
            }()
            let isOver = !process.isDead
            process.kill()
            try disk.buryOwners()
            let again = try Self.boxes(on: ProcessFileSystem(disk))
            let removed = try again.recentlyRemoved()
            #expect(
                [[1, 3], [1, 2, 3]].contains(removed.map(\.item.id).sorted()), "\(call), \(sweep)")
            try again.bring(back: removed.map(\.id))
            for id in again.items.map(\.id) {
                #expect(try again.notes(of: id) == [.eggs], "\(call), \(sweep)")
            }
            if isOver { return }
        }
    }

    @Test func oneFolderWithoutAccessDoesNotHideTheOthers() throws {
        let disk = try disk()
        let process = ProcessFileSystem(disk) { _, line in
            line.hasPrefix("open ") && line.hasSuffix("/folder-2") ? .fails(.accessDenied) : .works
        }
        let removed = try Self.boxes(on: process).recentlyRemoved()
        #expect(removed.map(\.item.id) == [1, 2, 3])
        #expect(removed.map { $0.byteCount > 0 } == [true, false, true])
    }

    /// The calls that open what is kept of box 3, which was removed alone.
    @Test(arguments: ["", "/removed"]) func oneRecordWithoutAccessDoesNotHideTheOthers(
        _ name: String
    ) throws {
        let disk = try disk()
        let kept = try Self.boxes(on: ProcessFileSystem(disk)).recentlyRemoved()
        let three = try #require(kept.first { $0.item.id == 3 })
        let refused = "/store/.removed/\(three.id.folder)\(name)"
        let process = ProcessFileSystem(disk) { _, line in
            line.hasPrefix("open ") && line.hasSuffix(refused) ? .fails(.accessDenied) : .works
        }
        let boxes = try Self.boxes(on: process)
        #expect(try boxes.recentlyRemoved().map(\.item.id) == [1, 2])
        let findings = try boxes.verify()
        #expect(findings.map(\.kind) == [.leftoverTrash])
        #expect(findings.allSatisfy { $0.path.contains("\(three.id.folder)") })
        try boxes.bring(back: boxes.recentlyRemoved().map(\.id))
        try boxes.remove(ids: [1, 2])
        #expect(try boxes.recentlyRemoved().map(\.item.id) == [1, 2])
        process.kill()

        try disk.expireRemoved(in: "/store/.removed")
        let later = ProcessFileSystem(disk) { _, line in
            line.hasPrefix("open ") && line.hasSuffix(refused) ? .fails(.accessDenied) : .works
        }
        let again = try Self.boxes(on: later)
        try again.append(Box(id: 4, folderName: "Four"))
        again.core.background.wait()
        let removed = try disk.openFolder(at: "/store/.removed")
        #expect(try disk.list(removed) == [three.id.folder])
    }

    /// The old version of an item needs the folder that was kept when the item was removed.
    @Test func anOldFileComesBackAfterTheItem() throws {
        let sandbox = try Sandbox()
        let folios = try Directory<Folio>(
            at: sandbox.url, index: "folios.json", options: Self.options)
        let first = try folios.makeStage()
        let old = try first.write(Data("old".utf8))
        try folios.write(importing: first) { draft, _ in
            try draft.append(Folio(id: 1, folderName: "One", fileName: "old"), file: old)
        }
        let second = try folios.makeStage()
        let file = try second.write(Data("new".utf8))
        try folios.child(Child<Note>("notes"), of: 1).append(.eggs)
        try folios.write(importing: second) { draft, _ in
            try draft.update(Folio(id: 1, folderName: "One", fileName: "new"), file: file)
        }
        try folios.remove(id: 1)
        let removed = try folios.recentlyRemoved()
        #expect(removed.map(\.isReplaced) == [false, true])
        expectError(.itemNotFound) { try folios.bring(back: [removed[1].id]) }
        #expect(folios.isEmpty)
        try folios.bring(back: [removed[0].id])
        try folios.bring(back: [removed[1].id])
        #expect(try sandbox.text("folios/old") == "old")
        #expect(try folios.child(Child<Note>("notes"), of: 1).loaded().map(\.id) == [Note.eggs.id])
        #expect(try folios.verify() == [])
    }

    /// The file is exchanged, and the folder gets the name that the old version had.
    @Test(arguments: ["One", "Three"]) func theFolderIsRenamedWithTheItem(_ name: String) throws {
        let (sandbox, other) = (try Sandbox(), try Sandbox())
        let folios = try Directory<Folio>(
            at: sandbox.url, index: "folios.json", options: Self.options)
        let stage = try folios.makeStage()
        let file = try stage.write(Data("old".utf8))
        try folios.write(importing: stage) { draft, _ in
            try draft.append(Folio(id: 1, folderName: "One", fileName: "a"), file: file)
        }
        try folios.child(Child<Note>("notes"), of: 1).append(.eggs)
        try folios.copy(to: other.url("copy"))
        try sandbox.write("edited", to: "folios/a")
        try folios.restore(from: other.url("copy"))
        try folios.update(Folio(id: 1, folderName: "Two", fileName: "a"))
        let removed = try folios.recentlyRemoved()
        #expect(removed.map(\.isReplaced) == [true])
        try folios.bring(back: removed.map(\.id)) { $0.folderName = name }
        #expect(try sandbox.text("folios/a") == "edited")
        #expect(try folios.child(Child<Note>("notes"), of: 1).loaded().map(\.id) == [Note.eggs.id])
        #expect(sandbox.exists(name) && !sandbox.exists("Two"))
        #expect(try folios.verify() == [])
    }

    /// A disk where an exchange was killed at `call`; it changes the names of two boxes.
    private func interruptedExchange(at call: Int, from image: MemoryFileSystem.Image) throws
        -> (disk: MemoryFileSystem, isOver: Bool)
    {
        let disk = MemoryFileSystem(image)
        let process = ProcessFileSystem(disk) { number, _ in number >= call ? .killed : .works }
        _ = try? {
            let boxes = try Self.boxes(on: process)
            try boxes.bring(back: boxes.recentlyRemoved().map(\.id))
        }()
        let isOver = !process.isDead
        process.kill()
        try disk.buryOwners()
        return (disk, isOver)
    }

    /// Two boxes that were called Uno and Dos, and that a restoring has replaced; beside them perhaps another index.
    private func replaced(besideShelves hasShelves: Bool) throws -> MemoryFileSystem.Image {
        let disk = MemoryFileSystem()
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        let names = [1: ("One", "Uno"), 2: ("Two", "Dos")]
        for (id, name) in names {
            try boxes.append(Box(id: id, folderName: name.0))
            try boxes.child(.notes, of: id).append(.eggs)
        }
        if hasShelves {
            try Self.shelves(on: ProcessFileSystem(disk)).append(Box(id: 1, folderName: "Shelf"))
        }
        try boxes.copy(to: URL(filePath: "/copy"))
        for (id, name) in names {
            try boxes.update(Box(id: id, folderName: name.1))
            try boxes.child(.notes, of: id).append(.salt)
        }
        try boxes.restore(from: URL(filePath: "/copy"))
        boxes.core.background.wait()
        return disk.image
    }

    private static func shelves(on process: ProcessFileSystem) throws -> Directory<Box> {
        try Directory(at: store, index: "shelves.json", options: options, on: process)
    }

    /// What is kept expires before the next process ends the exchange.
    @Test func anInterruptedExchangeEndsAlsoIfItsRecordHasExpired() throws {
        let image = try replaced(besideShelves: false)
        var sweep = Sweep()
        for call in sweep.numbers(below: 1000) {
            let (disk, isOver) = try interruptedExchange(at: call, from: image)
            try disk.expireRemoved(in: "/store/.removed")
            let boxes = try Self.boxes(on: ProcessFileSystem(disk))
            try boxes.write { _ in }
            boxes.core.background.wait()
            let names = boxes.items.map(\.folderName).sorted()
            #expect([["One", "Two"], ["Dos", "Uno"]].contains(names), "call \(call)")
            for id in [1, 2] {
                #expect(
                    try boxes.notes(of: id)
                        == (names == ["One", "Two"] ? [.eggs] : [.eggs, .salt]),
                    "call \(call)")
            }
            #expect(try boxes.verify() == [], "call \(call)")
            if isOver { return }
        }
    }

    /// Nobody else gets a name that something is on its way to.
    @Test func anotherIndexGetsNoNameOfAnUnfinishedExchange() throws {
        let image = try replaced(besideShelves: true)
        var sweep = Sweep()
        for call in sweep.numbers(below: 1000) {
            let (disk, isOver) = try interruptedExchange(at: call, from: image)
            for (id, name) in [(2, "Uno"), (3, "Dos"), (4, "One"), (5, "Two")] {
                try? Self.shelves(on: ProcessFileSystem(disk)).append(Box(id: id, folderName: name))
            }
            let boxes = try Self.boxes(on: ProcessFileSystem(disk))
            #expect(throws: Never.self, "call \(call)") { try boxes.write { _ in } }
            for id in [1, 2] {
                #expect(try boxes.notes(of: id).first == .eggs, "call \(call)")
            }
            if isOver { return }
        }
    }
}

extension MemoryFileSystem {
    /// Ends the time of what is kept in the folder at `path`.
    fileprivate func expireRemoved(in path: String) throws {
        guard let parent = try? openFolder(at: path) else { return }
        for name in try list(parent) {
            let folder = try openFolder(name, in: parent)
            guard var intent = try readAll(RemovalRecord.fileName, in: folder).flatMap(Intent.init)
            else { continue }
            intent.removal?.until = 1
            try removeFile(RemovalRecord.fileName, in: folder)
            let file = try openFile(
                RemovalRecord.fileName, in: folder, for: .create(mode: 0o600))
            try write(intent.encoded(), to: file, at: 0)
        }
    }
}
