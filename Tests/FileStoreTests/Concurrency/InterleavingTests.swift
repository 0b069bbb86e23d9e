import FileStore
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Another process changes files between two system calls of a store.
struct InterleavingTests {
    @Test func fileThatAnotherProcessAddsIsNotOverwritten() async throws {
        let (disk, root) = (MemoryFileSystem(), URL(filePath: "/store"))
        try await DiskFileStore(at: root, on: disk).createDirectory("a")
        let process = ProcessFileSystem(disk) { _, call in
            if call.hasPrefix("rename ") {
                #expect(throws: Never.self) { try disk.put("theirs", as: "b", in: "/store/a") }
            }
            return .works
        }
        await #expect(throws: FileStoreError.fileAlreadyExists(path: "a/b")) {
            try await DiskFileStore(at: root, on: process).save("ours", to: "a/b", overwrite: false)
        }
        #expect(try await DiskFileStore(at: root, on: disk).text("a/b") == "theirs")
    }

    /// Another process removes the folder `a` before each system call in turn.
    @Test(arguments: [true, false])
    func folderCanBeRemovedBetweenAnyTwoCalls(_ isWriting: Bool) async throws {
        var (step, isComplete) = (0, false)
        while !isComplete {
            let (disk, root) = (MemoryFileSystem(), URL(filePath: "/store"))
            try await DiskFileStore(at: root, on: disk).save("old", to: "a/b/old")
            let process = ProcessFileSystem(disk) { [step] number in
                if number == step {
                    #expect(throws: Never.self) {
                        try disk.removeTree("a", in: disk.openFolder(at: "/store"))
                    }
                }
                return .works
            }
            let store = DiskFileStore(at: root, on: process)
            if isWriting {
                try await store.save("new", to: "a/b/new")
            } else {
                let found = try await store.paths()
                #expect(["a", "a/b", "a/b/old"].starts(with: found))
            }
            isComplete = process.calls <= step
            step += 1
        }
        #expect(step > 5)
    }

    @Test func replacedSourceIsNeitherMovedNorRemoved() async throws {
        for isOnOtherVolume in [false, true] {
            let disk = MemoryFileSystem()
            try await DiskFileStore(at: URL(filePath: "/inbox"), on: disk).save("mine", to: "file")
            let process = ProcessFileSystem(disk) { _, call in
                if call == (isOnOtherVolume ? "sync /store" : "sync /inbox/file") {
                    #expect(throws: Never.self) {
                        try disk.put("theirs", as: "file", in: "/inbox")
                    }
                }
                let isMove = call == "rename /inbox/file to /store/file"
                return isMove && isOnOtherVolume ? .fails(.crossDevice) : .works
            }
            let store = DiskFileStore(at: URL(filePath: "/store"), on: process)
            let source = URL(filePath: "/inbox/file")
            if isOnOtherVolume {
                try await store.move(from: source, to: "file")
                #expect(try await store.text("file") == "mine")
            } else {
                await #expect(throws: FileStoreError.fileNotFound(path: source.path)) {
                    try await store.move(from: source, to: "file")
                }
            }
            let inbox = DiskFileStore(at: URL(filePath: "/inbox"), on: disk)
            #expect(try await inbox.text("file") == "theirs")
        }
    }

    @Test func sourceThatIsWrittenToWhileItIsCopiedIsKept() async throws {
        let disk = MemoryFileSystem()
        try await DiskFileStore(at: URL(filePath: "/inbox"), on: disk).save("mine", to: "file")
        let process = ProcessFileSystem(disk) { _, call in
            if call == "sync /store" {
                #expect(throws: Never.self) {
                    let inbox = try disk.openFolder(at: "/inbox")
                    let file = try disk.openFile("file", in: inbox, for: .update)
                    try disk.write(Array(" and more".utf8), to: file, at: 4)
                }
            }
            return call == "rename /inbox/file to /store/file" ? .fails(.crossDevice) : .works
        }
        let store = DiskFileStore(at: URL(filePath: "/store"), on: process)
        try await store.move(from: URL(filePath: "/inbox/file"), to: "file")
        #expect(try await store.text("file") == "mine")
        let inbox = DiskFileStore(at: URL(filePath: "/inbox"), on: disk)
        #expect(try await inbox.text("file") == "mine and more")
    }

    @Test func fileAddedToAFolderThatIsBeingDeletedIsDeletedToo() async throws {
        let (disk, root) = (MemoryFileSystem(), URL(filePath: "/store"))
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/b")
        let late = Atomic(false)
        let process = ProcessFileSystem(disk) { _, call in
            let isLast = call.hasPrefix("remove /store/.filestore-") && !call.hasSuffix("/b")
            if isLast, !late.exchange(true, ordering: .relaxed) {
                let folder = String(call.dropFirst("remove ".count))
                #expect(throws: Never.self) { try disk.put("late", as: "c", in: folder) }
            }
            return .works
        }
        try await DiskFileStore(at: root, on: process).deleteDirectory("a")
        let wasLate = late.load(ordering: .relaxed)
        #expect(wasLate)
        #expect(try disk.list(disk.openFolder(at: "/store")).isEmpty)
    }
}
