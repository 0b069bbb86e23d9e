import Dispatch
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Symbolic links and pipes, which only a real disk can hold.
struct LocalFileSystemTests {
    private let temporary: TemporaryFolder
    private let files = LocalFileSystem()
    private let root: Handle

    init() throws {
        temporary = try TemporaryFolder()
        root = try files.openFolder(at: temporary.url.path(percentEncoded: false))
    }

    /// Makes a symbolic link in the folder of the test.
    private func makeLink(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path(of: name), withDestinationPath: target)
    }

    private func path(of name: String) -> String {
        temporary.url.appending(path: name).path(percentEncoded: false)
    }

    @Test func folderThatOthersRemoveAtOnceWasMade() throws {
        let isDone = Atomic(false)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { [files, root] in
            while !isDone.load(ordering: .relaxed) { try? files.removeFolder("new", in: root) }
        }
        for _ in 0..<TestSize.choose(sample: 300, gate: 2_000, full: 2_000) {
            do {
                try files.makeFolder("new", in: root, mode: 0o700)
            } catch let error as FileSystemError {
                #expect(error.code == .fileExists)
            }
        }
        isDone.store(true, ordering: .relaxed)
        group.wait()
    }

    @Test(arguments: [FileAccess.read, .update, .openOrCreate(mode: 0o600)])
    func openingAFileFollowsNoLink(_ access: FileAccess) throws {
        try files.put("kept", as: "target", in: root)
        try makeLink("link", to: "target")
        try makeLink("dangling", to: "missing")
        expectFileSystemError(.tooManyLinks) { try files.openFile("link", in: root, for: access) }
        expectFileSystemError(.tooManyLinks) {
            try files.openFile("dangling", in: root, for: access)
        }
        #expect(try files.names(in: root) == ["dangling", "link", "target"])
    }

    @Test func creatingAFileFollowsNoLink() throws {
        try makeLink("dangling", to: "missing")
        expectFileSystemError(.fileExists) {
            try files.openFile("dangling", in: root, for: .create(mode: 0o600))
        }
        #expect(try files.names(in: root) == ["dangling"])
    }

    @Test func openingAFolderFollowsNoLink() throws {
        try files.makeFolder("target", in: root, mode: 0o700)
        try makeLink("link", to: "target")
        expectFileSystemError(.notFolder) { try files.openFolder("link", in: root) }
        expectFileSystemError(.fileExists) { try files.makeFolder("link", in: root, mode: 0o700) }
        expectFileSystemError(.notFolder) {
            try files.openOrMakeFolder("link", in: root, mode: 0o700)
        }
        expectFileSystemError(.notFolder) { try files.removeFolder("link", in: root) }
        for end in ["", "/"] {
            expectFileSystemError(.notFolder) {
                try files.openFolderItself(at: path(of: "link") + end)
            }
        }
    }

    @Test func linksInAPathAreFollowed() throws {
        let target = try files.putFolder("target", in: root)
        try makeLink("link", to: "target")
        let opened = try files.openFolder(at: path(of: "link"))
        #expect(try files.status(of: opened) == files.status(of: target))
        #expect(try files.resolve(path(of: "link")) == files.resolve(path(of: "target")))
    }

    #if os(Linux) || os(macOS)
        @Test func pipeIsRefusedWithoutWaiting() async {
            await #expect(processExitsWith: .success) {
                // A call that waits for the other end of the pipe is killed by this signal.
                alarm(10)
                let test = try LocalFileSystemTests()
                try #require(mkfifo(test.path(of: "pipe"), 0o600) == 0)
                for access in [FileAccess.read, .update, .openOrCreate(mode: 0o600)] {
                    expectFileSystemError(.notSupported) {
                        try test.files.openFile("pipe", in: test.root, for: access)
                    }
                }
                expectFileSystemError(.notFolder) {
                    try test.files.openFolder("pipe", in: test.root)
                }
            }
        }
    #endif

    #if os(Linux)
        @Test func readAllReadsBeyondTheSizeInTheStatus() throws {
            let process = try files.openFolder(at: "/proc/self")
            let maps = try files.openFile("maps", in: process, for: .read)
            #expect(try files.status(of: maps).size == 0)
            #expect(try files.readAll(maps).count > 4_096)
        }
    #endif

    @Test func statusOfALinkIsThatOfTheLinkItself() throws {
        try files.put("12345", as: "target", in: root)
        try makeLink("link", to: "target")
        try #require(mkfifo(path(of: "pipe"), 0o600) == 0)
        let link = try #require(try files.status(of: "link", in: root))
        #expect(link.kind == .symbolicLink)
        #expect(link.size == "target".utf8.count)
        #expect(try files.status(of: "pipe", in: root)?.kind == .other)
    }

    @Test func linkIsRenamedLinkedAndRemovedLikeAFile() throws {
        try files.put("kept", as: "target", in: root)
        try makeLink("link", to: "target")
        try files.rename("link", in: root, to: "moved", in: root, replacing: false)
        try files.link("moved", in: root, to: "second", in: root)
        #expect(try files.status(of: "second", in: root)?.kind == .symbolicLink)
        try files.removeFile("moved", in: root)
        try files.removeFile("second", in: root)
        #expect(try files.names(in: root) == ["target"])
        #expect(try files.text("target", in: root) == "kept")
    }

    @Test func renameReplacesALinkAndNotItsTarget() throws {
        try files.put("kept", as: "target", in: root)
        try files.put("new", as: "a", in: root)
        try makeLink("link", to: "target")
        try files.rename("a", in: root, to: "link", in: root, replacing: true)
        #expect(try files.text("link", in: root) == "new")
        #expect(try files.text("target", in: root) == "kept")
    }

    @Test func removeTreeFollowsNoLink() throws {
        let target = try files.putFolder("target", in: root)
        try files.put("kept", as: "a", in: target)
        try files.makeFolder("tree", in: root, mode: 0o700)
        try makeLink("tree/folder", to: "../target")
        try makeLink("tree/file", to: "../target/a")
        try makeLink("tree/dangling", to: "missing")
        try makeLink("link", to: "target")
        try #require(mkfifo(path(of: "tree/pipe"), 0o600) == 0)
        try files.removeTree("tree", in: root)
        try files.removeTree("link", in: root)
        #expect(try files.names(in: root) == ["target"])
        #expect(try files.text("a", in: target) == "kept")
    }
}
