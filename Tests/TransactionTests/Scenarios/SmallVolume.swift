import DirectoryTestSupport
import Foundation
import Testing

/// A file system in memory that has few inodes and little space.
final class SmallVolume {
    private let sandbox: Sandbox
    let url: URL
    private let inodes: Int
    private var fillers = 0

    static let canBeMounted: Bool = {
        #if os(Linux)
            return (try? SmallVolume()) != nil
        #else
            return false
        #endif
    }()

    init(inodes: Int = 64) throws {
        self.inodes = inodes
        sandbox = try Sandbox()
        url = try sandbox.makeFolder("volume")
        let limits = "size=8m,nr_inodes=\(inodes)"
        try Self.run(["mount", "-t", "tmpfs", "-o", limits, "none", url.path])
    }

    deinit { try? Self.run(["umount", "-l", url.path]) }

    /// Writes to a file until only `count` pages are left.
    func fill(leavingPages count: Int) throws {
        try waitForDeletedFiles()
        let path = url.appending(path: "filler").path
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let page = Data(count: 4096)
        while (try? file.write(contentsOf: page)) != nil {}
        let pages = try Int(file.seekToEnd() / 4096)
        try #require(pages >= count)
        try file.truncate(atOffset: UInt64((pages - count) * 4096))
    }

    /// Makes files until only `count` inodes are left.
    func fill(leavingInodes count: Int) throws {
        try fill()
        for _ in 0..<count {
            let path = url.appending(path: "fillers/\(fillers - 1)").path
            fillers -= 1
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Makes files until there are no inodes left.
    func fill() throws {
        try waitForDeletedFiles()
        let folder = url.appending(path: "fillers")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        while fillers <= inodes {
            fillers += 1
            let path = folder.appending(path: "\(fillers)").path
            guard FileManager.default.createFile(atPath: path, contents: nil) else { return }
        }
        Issue.record("the volume has too many inodes")
    }

    /// Waits until the volume has no deleted file that is still open.
    ///
    /// A child that another test has started has the open files of this process until it executes its program. If it closes
    /// a deleted file after the volume was filled, there is space again.
    private func waitForDeletedFiles() throws {
        #if os(Linux)
            let end = ContinuousClock.now + .seconds(10)
            while try usedInodes() != countedInodes() {
                try #require(.now < end, "a deleted file of the volume stays open")
                Thread.sleep(forTimeInterval: 0.001)
            }
        #endif
    }

    #if os(Linux)
        private func usedInodes() throws -> Int {
            let volume = try FileManager.default.attributesOfFileSystem(forPath: url.path)
            let all = try #require(volume[.systemNodes] as? NSNumber).intValue
            return try all - #require(volume[.systemFreeNodes] as? NSNumber).intValue
        }

        /// The volume's root and all that is below.
        private func countedInodes() throws -> Int {
            try 1 + FileManager.default.subpathsOfDirectory(atPath: url.path).count
        }
    #endif

    func makeSpace() throws {
        for name in ["filler", "fillers"] {
            let file = url.appending(path: name)
            if FileManager.default.fileExists(atPath: file.path) {
                // A child that another test has started can have it open until it executes its program.
                if name == "filler" { try FileHandle(forWritingTo: file).truncate(atOffset: 0) }
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    /// Runs a command; throws if it fails.
    static func run(_ arguments: [String]) throws {
        struct Failure: Error {}
        #if os(Linux)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { throw Failure() }
        #else
            throw Failure()
        #endif
    }
}
