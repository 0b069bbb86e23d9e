import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// The folders of new containers whose process died before it committed the items, beside another
/// index.
struct AbandonedFolderTests {
    let disk = MemoryFileSystem()
    let start: MemoryFileSystem.Image

    init() throws {
        let crates = try Self.crates(on: ProcessFileSystem(disk))
        try crates.append(Box(id: 9, folderName: "Nine"))
        try Self.boxes(on: ProcessFileSystem(disk)).append(Box(id: 1, folderName: "One"))
        let other = try Self.boxes(at: "/other", on: ProcessFileSystem(disk))
        try other.append(Box(id: 7, folderName: "New"))
        start = disk.image
    }

    static func boxes(
        at path: String = "/store", index: String = "boxes.json", on fileSystem: any FileSystem
    ) throws -> Directory<Box> {
        let boxes = try Directory<Box>(
            at: URL(filePath: path), index: index, on: fileSystem)
        try boxes.load()
        return boxes
    }

    /// Another collection in the same folder.
    private static func crates(on fileSystem: any FileSystem) throws -> Directory<Box> {
        try boxes(index: "crates.json", on: fileSystem)
    }

    /// The names in the folder of the store, and those in its folder "New"; nil if there is none.
    func names(on disk: MemoryFileSystem) throws -> (store: [FileName], new: [FileName]?) {
        let store = try disk.openFolder(at: "/store")
        guard try disk.status(of: "New", in: store) != nil else {
            return (try disk.list(store), nil)
        }
        return (try disk.list(store), try disk.list(disk.openFolder("New", in: store)))
    }

    /// Calls `body` after an append of a container was killed before each of its calls, with a
    /// collection of a process that has changed it before that, or of one that comes later.
    private func afterEachKill(
        _ body: (Directory<Box>, ProcessFileSystem, MemoryFileSystem) throws -> Void
    ) throws {
        var abandoned = 0
        var sweep = Sweep()
        for isEarlier in [true, false] {
            for call in sweep.numbers(below: 200) {
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
                if try names(on: disk).new != nil { abandoned += 1 }
                try body(boxes, process, disk)
                #expect(try boxes.verify() == [])
                let next = try Self.boxes(on: ProcessFileSystem(disk))
                #expect(try next.verify() == [])
                let left = try names(on: disk)
                #expect(!left.store.contains { $0.string.hasSuffix(".tmp") })
                #expect(left.new?.contains(".boxes.new") != true)
            }
        }
        #expect(abandoned > 0 || TestSize.current == .sample)
    }

    /// A disk on which an append of the container "New" was killed before it was committed, or, if
    /// `committed`, right after that.
    func afterKill(committed: Bool = false) throws -> MemoryFileSystem {
        let disk = MemoryFileSystem(start)
        let killed = ProcessFileSystem(disk) { _, call in
            let isIndex = call.hasPrefix("rename") && call.hasSuffix("boxes.json")
            let isMark = call.hasPrefix("remove") && call.hasSuffix(".new")
            return (committed ? isMark : isIndex) ? .killed : .works
        }
        let append = Result { try Self.boxes(on: killed).append(Box(id: 2, folderName: "New")) }
        #expect(killed.isDead)
        if committed { try append.get() }
        #expect(try names(on: disk).new == [".boxes.new"])
        return disk
    }
}

extension AbandonedFolderTests {
    @Test func nameCanBeGivenToANewItem() throws {
        try afterEachKill { boxes, _, _ in
            try boxes.append(Box(id: 3, folderName: "New"))
            try boxes.child(.notes, of: 3).append(.milk)
        }
    }

    @Test func itemCanBeRenamedToTheName() throws {
        try afterEachKill { boxes, _, _ in
            try boxes.child(.notes, of: 1).append(.milk)
            try boxes.update(Box(id: 1, folderName: "New"))
            #expect(try boxes.notes(of: 1) == [.milk])
        }
    }

    @Test func itemWithTheNameCanBeTransferred() throws {
        try afterEachKill { boxes, process, _ in
            let other = try Self.boxes(at: "/other", on: process)
            try other.child(.notes, of: 7).append(.milk)
            try other.transfer([7], to: boxes)
            #expect(try boxes.notes(of: 7) == [.milk])
        }
    }

    /// Where a process dies before the folder has its name, another index can take it.
    @Test func folderOfAnotherIndexStays() throws {
        try afterEachKill { boxes, _, disk in
            if try names(on: disk).new != nil {
                try boxes.append(Box(id: 3, folderName: "New"))
                return
            }
            try Self.crates(on: ProcessFileSystem(disk)).append(Box(id: 8, folderName: "New"))
            expectError(.nameTaken) { try boxes.append(Box(id: 3, folderName: "New")) }
            expectError(.nameTaken) { try boxes.update(Box(id: 1, folderName: "New")) }
            #expect(try names(on: disk).new == [])
        }
    }

    @Test func nameCanBeGivenAfterAnotherKill() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 200) {
            let disk = try afterKill()
            let killed = ProcessFileSystem(disk) { $0 == call ? .killed : .works }
            let append = Result { try Self.boxes(on: killed).append(Box(id: 3, folderName: "New")) }
            let boxes = try Self.boxes(on: ProcessFileSystem(disk))
            if boxes[id: 3] == nil { try boxes.append(Box(id: 4, folderName: "New")) }
            #expect(try boxes.verify() == [])
            guard killed.isDead else { return try append.get() }
        }
        Issue.record("more calls than expected")
    }

    @Test func nameIsTakenForOtherIndexes() throws {
        let disk = try afterKill()
        let crates = try Self.crates(on: ProcessFileSystem(disk))
        expectError(.nameTaken) { try crates.append(Box(id: 8, folderName: "New")) }
        #expect(try names(on: disk).new == [".boxes.new"])
    }

    @Test func folderWithAnythingElseInItStays() throws {
        let disk = try afterKill()
        let folder = try disk.openFolder("New", in: disk.openFolder(at: "/store"))
        _ = try disk.openFile("mine", in: folder, for: .create(mode: 0o600))
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: "New")) }
        #expect(try Set(disk.list(folder)) == ["mine", ".boxes.new"])
    }

    @Test func folderIsNoFindingOnceItsIndexIsAlone() throws {
        let disk = try afterKill()
        let store = try disk.openFolder(at: "/store")
        for name in ["crates.json", ".crates.lock"] as [FileName] {
            try disk.removeFile(name, in: store)
        }
        try disk.removeFolder("Nine", in: store)
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        #expect(try boxes.verify() == [])
        try boxes.append(Box(id: 3, folderName: "New"))
    }

    /// Only the other collection can know whose the folder is.
    @Test func emptyFolderWithoutAMarkIsNotUsed() throws {
        try disk.makeFolder("New", in: disk.openFolder(at: "/store"), mode: 0o700)
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: "New")) }
        expectError(.nameTaken) { try boxes.update(Box(id: 1, folderName: "New")) }
    }

    /// What cannot be decoded may be the item with this folder.
    @Test func folderStaysBesideADamagedItem() throws {
        let disk = try afterKill()
        let store = try disk.openFolder(at: "/store")
        let index = try disk.openFile("boxes.json", in: store, for: .update)
        let text = #"[{"folderName":"One","id":1},{"folderName":"New","number":2}]"#
        try disk.write(Array(text.utf8), to: index, at: 0)
        try disk.truncate(index, to: text.utf8.count)
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: "New")) }
        #expect(try names(on: disk).new == [".boxes.new"])
    }

    /// A process that died after the commit has left the mark in the folder of an item.
    ///
    /// Where the item goes, there is an index with the same name.
    @Test func folderLosesTheMarkBeforeAnotherIndexGetsIt() throws {
        let disk = try afterKill(committed: true)
        let process = ProcessFileSystem(disk)
        let other = try Self.boxes(at: "/other", on: process)
        try other.remove(id: 7)
        let crates = try Self.boxes(at: "/other", index: "crates.json", on: process)
        try Self.boxes(on: process).transfer([2], to: crates)
        expectError(.nameTaken) { try other.append(Box(id: 3, folderName: "New")) }
        try crates.child(.notes, of: 2).append(.milk)
        #expect(try crates.verify() == [])
    }

    @Test func failedAppendLeavesNothing() throws {
        var failed = 0
        var sweep = Sweep()
        for call in sweep.numbers(below: 200) {
            let disk = MemoryFileSystem(start)
            let process = ProcessFileSystem(disk) { $0 == call ? .fails(.ioError) : .works }
            do {
                try Self.boxes(on: process).append(Box(id: 2, folderName: "New"))
                continue
            } catch let error as DirectoryError where error.code == .inDoubt {
                // The folder stays, because its item may be on disk.
                continue
            } catch {
                failed += 1
            }
            let left = try names(on: disk)
            #expect(left.new == nil)
            #expect(!left.store.contains { $0.string.hasSuffix(".tmp") })
        }
        #expect(failed > 0 || TestSize.current == .sample)
    }
}
