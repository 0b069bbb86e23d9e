import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Large and deep trees.
struct VerifyBelowLimitTests {
    #if os(Linux) || os(macOS)
        @Test func manyContainersNeedFewOpenFiles() async {
            await #expect(processExitsWith: .success) {
                let count = TestSize.choose(sample: 60, gate: 1_000, full: 1_000)
                let sandbox = try Sandbox()
                let boxes = try sandbox.boxes()
                try boxes.append(
                    contentsOf: (0..<count).map { Box(id: $0, folderName: "Box \($0)") })
                for id in 0..<count {
                    try sandbox.write(#"[{"id":1},{"id":1}]"#, to: "Box \(id)/notes.json")
                }
                startDispatchTimers()
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                limit.rlim_cur = 32
                try #require(setrlimit(openFiles, &limit) == 0)
                #expect(try Directory.verify(below: sandbox.url).count == count)
            }
        }
    #endif

    @Test func deepTreeNeedsASmallStack() throws {
        let depth = TestSize.choose(sample: 250, gate: 1_000, full: 1_000)
        let disk = MemoryFileSystem()
        var folder = try disk.openFolder(at: "/")
        for _ in 0..<depth {
            try disk.makeFolder("a", in: folder, mode: 0o700)
            folder = try disk.openFolder("a", in: folder)
        }
        let file = try disk.openFile("a.json", in: folder, for: .create(mode: 0o600))
        try disk.write(Array(#"[{"id":1},{"id":1}]"#.utf8), to: file, at: 0)
        try withStack(ofKiB: 128) {
            let findings = try Directory.verify(below: URL(filePath: "/"), on: disk)
            #expect(findings.map(\.kind) == [.duplicateID])
            #expect(findings.first?.path.count == 2 * depth + "/a.json".count)
        }
    }

    /// No path of the system can be longer than some thousand bytes.
    @Test func pathsCanBeLongerThanThoseOfTheSystem() throws {
        let sandbox = try Sandbox()
        let files = LocalFileSystem()
        let root = try files.openFolder(at: sandbox.url.path)
        let name = try FileName(validating: String(repeating: "a", count: 250))
        defer { try? files.removeTree(name, in: root) }
        var folder = root
        for _ in 0..<30 {
            try files.makeFolder(name, in: folder, mode: 0o700)
            folder = try files.openFolder(name, in: folder)
        }
        let file = try files.openFile("a.json", in: folder, for: .create(mode: 0o600))
        try files.write(Array(#"[{"id":1},{"id":1}]"#.utf8), to: file, at: 0)
        #expect(try Directory.verify(below: sandbox.url).map(\.kind) == [.duplicateID])
    }
}

#if os(Linux)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#elseif os(macOS)
    private let openFiles = RLIMIT_NOFILE
#endif
