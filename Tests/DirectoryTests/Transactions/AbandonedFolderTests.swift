import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// The folders of new containers whose process died before it added the items, beside another index.
@Suite struct AbandonedFolderTests {
    private let disk = MemoryFileSystem()
    private let start: MemoryFileSystem.Image

    init() throws {
        let notes = try Directory<Note>(
            at: URL(filePath: "/store"), index: "notes.json", on: ProcessFileSystem(disk))
        try notes.append(.eggs)
        try Self.boxes(on: ProcessFileSystem(disk)).append(Box(id: 1, folderName: "One"))
        let other = try Self.boxes(at: "/other", on: ProcessFileSystem(disk))
        try other.append(Box(id: 7, folderName: "New"))
        start = disk.image
    }

    private static func boxes(at path: String = "/store", on fileSystem: any FileSystem) throws
        -> Directory<Box>
    {
        let boxes = try Directory<Box>(
            at: URL(filePath: path), index: "boxes.json", on: fileSystem)
        try boxes.load()
        return boxes
    }

    /// Calls `body` after an append of a container was killed before each of its calls, with a
    /// collection of a process that has changed it before that, or of one that comes later.
    private func afterEachKill(_ body: (Directory<Box>, any FileSystem) throws -> Void) throws {
        var abandoned = 0
        for isEarlier in [true, false] {
            for call in 0..<200 {
                let disk = MemoryFileSystem(start)
                var process = ProcessFileSystem(disk)
                var boxes = try Self.boxes(on: process)
                if isEarlier { try boxes.update(Box(id: 1, folderName: "Uno")) }
                let killed = ProcessFileSystem(disk) { $0 == call ? .killed : .works }
                let append = Result {
                    try Self.boxes(on: killed).append(Box(id: 2, folderName: "New"))
                }
                guard killed.isDead else {
                    try append.get()
                    break
                }
                if !isEarlier {
                    process = ProcessFileSystem(disk)
                    boxes = try Self.boxes(on: process)
                }
                try boxes.load()
                if boxes[id: 2] != nil { continue }
                let store = try disk.openFolder(at: "/store")
                if try disk.status(of: "New", in: store) != nil { abandoned += 1 }
                try body(boxes, process)
                #expect(try boxes.verify() == [])
                let next = try Self.boxes(on: ProcessFileSystem(disk))
                #expect(try next.verify() == [])
                #expect(try disk.list(store).allSatisfy { !$0.string.hasSuffix(".new") })
            }
        }
        #expect(abandoned > 0)
    }

    @Test func nameCanBeGivenToANewItem() throws {
        try afterEachKill { boxes, _ in
            try boxes.append(Box(id: 3, folderName: "New"))
            try boxes.child(.notes, of: 3).append(.milk)
        }
    }

    @Test func itemCanBeRenamedToTheName() throws {
        try afterEachKill { boxes, _ in
            try boxes.child(.notes, of: 1).append(.milk)
            try boxes.update(Box(id: 1, folderName: "New"))
            #expect(try boxes.notes(of: 1) == [.milk])
        }
    }

    @Test func itemWithTheNameCanBeTransferred() throws {
        try afterEachKill { boxes, fileSystem in
            try Self.boxes(at: "/other", on: fileSystem).transfer([7], to: boxes)
            #expect(boxes[id: 7] != nil)
        }
    }

    @Test func folderWithAnythingInItStays() throws {
        let killed = ProcessFileSystem(disk) { _, call in
            call.hasPrefix("create") && call.hasSuffix(".tmp") ? .killed : .works
        }
        #expect(throws: (any Error).self) {
            try Self.boxes(on: killed).append(Box(id: 2, folderName: "New"))
        }
        let folder = try disk.openFolder("New", in: disk.openFolder(at: "/store"))
        _ = try disk.openFile("mine", in: folder, for: .create(mode: 0o600))
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: "New")) }
        #expect(try disk.list(folder) == ["mine"])
    }

    @Test func folderOfAnItemThatWasAddedStays() throws {
        let killed = ProcessFileSystem(disk) { _, call in
            call.hasPrefix("remove") && call.hasSuffix(".new") ? .killed : .works
        }
        try Self.boxes(on: killed).append(Box(id: 2, folderName: "New"))
        #expect(killed.isDead)
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        try boxes.append(Box(id: 3, folderName: "Three"))
        let store = try disk.openFolder(at: "/store")
        #expect(try disk.status(of: "New", in: store) != nil)
        #expect(try disk.list(store).allSatisfy { !$0.string.hasSuffix(".new") })
    }

    /// Only the other collection can know whose the folder is.
    @Test func emptyFolderWithoutAMarkIsNotUsed() throws {
        try disk.makeFolder("New", in: disk.openFolder(at: "/store"), mode: 0o700)
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: "New")) }
    }
}
