import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// An item with a folder and a file.
private struct Folio: Container, Asset, Hashable {
    var id: Int
    var folderName: String
    var fileName: String
}

/// An item that writes what it does not read.
private struct Odd: Container, Hashable {
    var id: Int
    var folderName: String

    init(id: Int, folderName: String) { (self.id, self.folderName) = (id, folderName) }

    enum CodingKeys: CodingKey { case id, folderName, missing }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Int.self, forKey: .id)
        folderName = try values.decode(String.self, forKey: .missing)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(folderName, forKey: .folderName)
    }
}

/// Removed folders that are not deleted yet, because that fails, or because the process has died.
struct UndeletedFolderTests {
    private static let store = URL(filePath: "/store")

    private func boxes(on process: ProcessFileSystem) throws -> Directory<Box> {
        try Directory(at: Self.store, index: "boxes.json", on: process)
    }

    /// A disk with a box, and another one that was removed; the calls that delete its files met `fate`.
    private func disk(_ fate: ProcessFileSystem.Fate) throws -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        let boxes = try boxes(on: Self.process(disk, fate))
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.remove(id: 1)
        boxes.core.background.wait()
        return disk
    }

    private static func process(_ disk: MemoryFileSystem, _ fate: ProcessFileSystem.Fate)
        -> ProcessFileSystem
    {
        ProcessFileSystem(disk) { _, call in
            call.hasPrefix("remove /store/.staging/") && call.contains("/removed-1/")
                ? fate : .works
        }
    }

    @Test func aFolderThatCannotBeDeletedStopsNothing() throws {
        let disk = try disk(.fails(.accessDenied))
        try disk.buryOwners()
        let boxes = try boxes(on: Self.process(disk, .fails(.accessDenied)))
        try boxes.append(Box(id: 1, folderName: "One"))
        #expect(try boxes.notes(of: 1) == [])
        try boxes.repair()
        boxes.core.background.wait()
        #expect(Set(disk.image.leftovers) == ["removed-1"])
        let next = try self.boxes(on: ProcessFileSystem(disk))
        try next.write { _ in }
        next.core.background.wait()
        #expect(disk.image.leftovers.isEmpty)
    }

    /// The process ran before the system was started again, on another machine, or is not known.
    @Test(arguments: ["owner.%.linux.0-0.pid:[1].7.7", "owner.01234567.apple.7", nil])
    func whoeverComesNextDeletesIt(_ name: String?) throws {
        let disk = try disk(.killed)
        let staging = try disk.openFolder(at: "/store/.staging")
        for own in try disk.list(staging).map({ try disk.openFolder($0, in: staging) }) {
            for owner in try disk.list(own) where StageOwner.isOwner(owner) {
                try disk.removeFile(owner, in: own)
            }
            let machine = DirectoryOptions().machine
            if let name = name?.replacing("%", with: machine) {
                _ = try disk.openFile(
                    FileName(validating: name), in: own, for: .create(mode: 0o600))
            }
        }
        let boxes = try boxes(on: ProcessFileSystem(disk))
        try boxes.load()
        boxes.core.background.wait()
        #expect(try boxes.verify().isEmpty)
        #expect(disk.image.leftovers.isEmpty)
        #expect(try disk.list(disk.openFolder(at: "/store")).allSatisfy { $0 != ".staging" })
    }

    /// The intent stays until the file is removed, while the item is added and removed again.
    @Test func aFolderIsNotThatOfALaterItemWhileAFileCannotBeRemoved() throws {
        for _ in 0..<8 {
            let disk = MemoryFileSystem()
            let state = Mutex<ProcessFileSystem.Fate>(.works)
            let process = ProcessFileSystem(disk) { _, call in
                let fate = state.withLock(\.self)
                let isCommit = call.hasPrefix("rename") && call.hasSuffix("/folios.json")
                if case .killed = fate { return isCommit ? .killed : .works }
                return call.hasPrefix("remove /store/folios/") ? fate : .works
            }
            let folios = try Directory<Folio>(at: Self.store, index: "folios.json", on: process)
            func add(_ note: Note) throws {
                let folio = Folio(id: 1, folderName: "One", fileName: "\(note.id).txt")
                let stage = try folios.makeStage()
                let asset = try stage.write(Data("x".utf8), name: folio.fileName)
                try folios.write(importing: stage) { draft, _ in
                    try draft.append(folio, file: asset)
                }
                try folios.child(.notes, of: 1).append(note)
            }
            try add(.eggs)
            state.withLock { $0 = .fails(.accessDenied) }
            try folios.remove(id: 1)
            try add(.milk)
            state.withLock { $0 = .killed }
            #expect(throws: (any Error).self) { try folios.remove(id: 1) }
            try disk.buryOwners()
            let next = try Directory<Folio>(
                at: Self.store, index: "folios.json", on: ProcessFileSystem(disk))
            #expect(try next.notes(of: 1) == [.milk])
            next.core.background.wait()
            #expect(try next.verify().isEmpty)
        }
    }

    @Test func aFailedRemovalBringsTheFolderBackWhoseLineCannotBeRead() throws {
        let disk = MemoryFileSystem()
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(disk) { _, call in
            isFailing.load(ordering: .relaxed) && call.hasSuffix(".tmp") ? .fails(.ioError) : .works
        }
        let odds = try Directory<Odd>(at: Self.store, index: "odds.json", on: process)
        try odds.append(Odd(id: 1, folderName: "One"))
        try odds.child(.notes, of: 1).append(.eggs)
        isFailing.store(true, ordering: .relaxed)
        #expect(throws: DirectoryError.self) { try odds.remove(id: 1) }
        isFailing.store(false, ordering: .relaxed)
        let folder = try disk.openFolder(at: "/store/One")
        #expect(try disk.status(of: "notes.json", in: folder) != nil)
        #expect(disk.image.leftovers.isEmpty)
    }

    @Test func aFolderThatWaitsForItemsToBeReadIsNoFinding() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.twoBoxes()
        let text = #"[{"folderName":"One","id":1},{"folderName":"Two","id":2},{"id":"bad"}]"#
        try sandbox.write(text, to: "boxes.json")
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("rename") && call.hasSuffix("/removed-1") ? .killed : .works
        }
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json", on: process)
        try boxes.remove(id: 1)
        #expect(process.isDead)
        try sandbox.buryOwners()
        #expect(try sandbox.boxes().verify().map(\.kind) == [.undecodableItem])
    }

    @Test func aFailedRemovalOnAFullVolumeKeepsTheStage() throws {
        let isFull = Atomic(false)
        let process = ProcessFileSystem(MemoryFileSystem()) { _, call in
            isFull.load(ordering: .relaxed) && call.hasPrefix("create ") ? .fails(.noSpace) : .works
        }
        let photos = try Directory<Photo>(at: Self.store, index: "photos.json", on: process)
        let photo = try photos.insert(Data("one".utf8))
        let stage = try photos.makeStage()
        let asset = try stage.write(Data("two".utf8))
        isFull.store(true, ordering: .relaxed)
        expectError(.noSpace) {
            try photos.write(importing: stage) { draft, _ in try draft.remove(id: photo.id) }
        }
        isFull.store(false, ordering: .relaxed)
        try photos.write(importing: stage) { draft, _ in
            try draft.append(Photo(asset), file: asset)
        }
        #expect(
            try photos.items.map { try photos.data(of: $0.id) }
                == ["one", "two"].map { Data($0.utf8) })
    }
}
