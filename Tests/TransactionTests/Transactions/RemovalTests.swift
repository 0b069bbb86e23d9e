import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

struct RemovalTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.twoBoxes()
    }

    #if os(Linux) || os(macOS)
        /// A process can have 256 open files on some systems.
        @Test func moveOfManyContainersKeepsFewFilesOpen() async {
            await #expect(processExitsWith: .success) {
                let sandbox = try Sandbox()
                startDispatchTimers()
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                limit.rlim_cur = 64
                try #require(setrlimit(openFiles, &limit) == 0)
                let (boxes, others) = (try sandbox.boxes("from"), try sandbox.boxes("to"))
                try boxes.append(
                    contentsOf: (0..<100).map { Box(id: $0, folderName: "Box \($0)") })
                try boxes.write { draft in
                    for id in 0..<100 { try draft.update(Box(id: id, folderName: "New \(id)")) }
                }
                try boxes.transfer(Array(0..<100), to: others)
                try others.remove(ids: Array(0..<100))
                #expect(boxes.isEmpty && others.isEmpty && !sandbox.exists("to/New 1"))
            }
        }
    #endif

    @Test(arguments: [3, 100])
    func moveOfManyContainersWaitsForTransfersInThem(_ count: Int) throws {
        let options = DirectoryOptions(lockTimeout: .milliseconds(50))
        let many = try Directory<Box>(
            at: sandbox.url("many"), index: "boxes.json", options: options)
        try many.append(contentsOf: (0..<count).map { Box(id: $0, folderName: "Box \($0)") })
        let files = LocalFileSystem()
        let rename = {
            try many.write { draft in
                for id in 0..<count {
                    let name = (draft[id: id]?.folderName ?? "") + "x"
                    try draft.update(Box(id: id, folderName: name))
                }
            }
        }
        do {
            // As a transfer between two collections in these boxes does.
            let folder = try files.openFolder(at: sandbox.url("many").path)
            let held = try files.openFile(".boxes.lock", in: folder, for: .read)
            #expect(try files.tryLock(held, shared: true))
            expectError(.locked) { try rename() }
            expectError(.locked) { try many.remove(ids: Array(0..<count)) }
            withExtendedLifetime(held) {}
        }
        try rename()
        #expect(sandbox.exists("many/Box 1x") && !sandbox.exists("many/Box 1"))
        try many.remove(ids: Array(0..<count))
        #expect(many.isEmpty && !sandbox.exists("many/Box 1x"))
    }

    @Test(arguments: [250, 251, 255])
    func containerMovesWithAFolderOfTheLongestName(_ count: Int) throws {
        try sandbox.makeFolder("One/" + String(repeating: "x", count: count))
        try boxes.update(Box(id: 1, folderName: "Uno"))
        try boxes.remove(id: 1)
        #expect(!sandbox.exists("Uno"))
    }

    @Test func removedFolderIsGoneAtOnceAndItsBytesAfterACheckpoint() throws {
        try boxes.remove(id: 1)
        #expect(!sandbox.exists("One"))
        try boxes.checkpoint()
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try !sandbox.contents().contains { $0.contains(Data("Eggs".utf8)) })
        #expect(try boxes.notes(of: 2) == [.milk])
        #expect(try boxes.verify().isEmpty)
    }

    @Test func asyncRemovalRemovesTheFolderAtOnce() async throws {
        try await boxes.remove(id: 1)
        #expect(!sandbox.exists("One"))
        try await boxes.checkpoint()
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func childOfARemovedContainerMakesNothing() throws {
        let notes = try boxes.child(.notes, of: 1)
        let photos = try boxes.child(.photos, of: 1)
        let inner = try boxes.child(.parts, of: 1)
        try inner.append(Box(id: 5, folderName: "deep"))
        let deep = try inner.child(.notes, of: 5)
        let photo = try photos.insert(Data([1]))
        let stage = try photos.makeStage()
        try stage.write(Data([2]))
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        let tree = try sandbox.tree()

        expectError(.containerRemoved) { try notes.append(.salt) }
        expectError(.containerRemoved) { try notes.load() }
        expectError(.containerRemoved) { try notes.verify() }
        expectError(.containerRemoved) { try deep.append(.salt) }
        expectError(.containerRemoved) { try inner.append(Box(id: 6, folderName: "x")) }
        expectError(.containerRemoved) { try inner.child(.photos, of: 5) }
        expectError(.containerRemoved) { try photos.makeStage() }
        expectError(.containerRemoved) { try photos.insert(stage) }
        expectError(.containerRemoved) { try photos.insert(Data([3])) }
        expectError(.containerRemoved) { try photos.data(of: photo.id) }
        expectError(.itemNotFound) { try boxes.child(.notes, of: 1) }
        #expect(try sandbox.tree() == tree)
    }

    @Test func removalByAnotherProcessClosesTheChild() throws {
        let notes = try boxes.child(.notes, of: 1)
        let other = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        try other.remove(id: 1)
        expectError(.containerRemoved) { try notes.append(.salt) }
        #expect(!sandbox.exists("One"))
        #expect(boxes[id: 1] == nil)
    }

    @Test(arguments: [(1, "One"), (3, "One"), (1, "Three")])
    func newItemDoesNotGetTheFilesOfARemovedItem(_ id: Int, _ name: String) throws {
        let old = try boxes.child(.notes, of: 1)
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        try boxes.append(Box(id: id, folderName: name))
        #expect(try sandbox.tree(name).isEmpty)
        let new = try boxes.child(.notes, of: id)
        #expect(new.isEmpty)
        try new.append(.salt)
        #expect(Array(new.items) == [.salt])
        expectError(.containerRemoved) { try old.append(.milk) }
        #expect(Array(new.items) == [.salt])
    }

    @Test func childOfAnItemThatWasRemovedAndAddedAgainStaysClosed() throws {
        let old = try boxes.child(.notes, of: 1)
        let other = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        try other.remove(id: 1)
        try other.checkpoint()
        try other.append(OtherBox(id: 1, folderName: "One"))
        let new = try boxes.child(.notes, of: 1)
        #expect(new.isEmpty)
        expectError(.containerRemoved) { try old.append(.milk) }
    }

    @Test func folderThatWasReplacedByHandIsANewFolder() throws {
        // The new folder gets the inode number of the old folder, unless another thread takes it.
        for id in 10..<20 {
            try boxes.append(Box(id: id, folderName: "\(id)"))
            let old = try boxes.child(.notes, of: id)
            try sandbox.remove("\(id)")
            try sandbox.makeFolder("\(id)")
            expectError(.containerRemoved) { try old.append(.salt) }
            try boxes.child(.notes, of: id).append(.milk)
            #expect(old.isEmpty)
        }
    }

    @Test func folderDeletedByHandIsMadeAgainByItsParentOnly() throws {
        let notes = try boxes.child(.notes, of: 1)
        try sandbox.remove("One")
        expectError(.containerRemoved) { try notes.append(.salt) }
        #expect(!sandbox.exists("One"))
        #expect(try boxes.verify().isEmpty)
        let anew = try boxes.child(.notes, of: 1)
        #expect(anew.isEmpty)
        try anew.append(.salt)
        #expect(sandbox.exists("One/notes.json"))
    }

    @Test func itemWithoutItsFolderCanBeRemoved() throws {
        try sandbox.remove("One")
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        #expect(boxes.items.map(\.id) == [2])
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func storeDeletedByHandIsNotMadeAgain() throws {
        try sandbox.remove("")
        expectError(.containerRemoved) { try boxes.append(Box(id: 3, folderName: "Three")) }
        #expect(!sandbox.exists(""))
    }

    @Test func linksInARemovedFolderAreNotFollowed() throws {
        try sandbox.write("mine", to: "outside/mine.txt")
        try sandbox.makeSymbolicLink("One/link", to: sandbox.url("outside"))
        try sandbox.makeSymbolicLink("One/file", to: sandbox.url("outside/mine.txt"))
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        #expect(try sandbox.text("outside/mine.txt") == "mine")
        #expect(try sandbox.leftovers().isEmpty)
    }
}

#if canImport(Glibc)
    private var openFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
#else
    private var openFiles: Int32 { RLIMIT_NOFILE }
#endif
