import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Archives of collections, read by other programs, and restored.
struct ArchiveTests {
    let sandbox: Sandbox
    private var archive: URL { sandbox.url("backups/store.zip") }

    init() throws { sandbox = try Sandbox() }

    private func store() throws -> Session {
        let store = try Session(at: sandbox.url("store"))
        try store.fill(with: .large)
        try store.notes(in: [3]).append(.milk)
        try store.projects.checkpoint()
        return store
    }

    /// All files in the folder at `path`, without locks and manifests.
    private func files(_ path: String) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sandbox.url(path).path)
        let own = paths.filter { inner in ![".lock", ".copy"].contains(where: inner.hasSuffix) }
        let files = try own.compactMap { inner -> (String, Data)? in
            let file = sandbox.url("\(path)/\(inner)")
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                return nil
            }
            return (inner, try Data(contentsOf: file))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    /// The programs that unpack archives, each into the folder `unpacked`.
    enum Program: String, CaseIterable {
        case unzip, bsdtar, python3

        var arguments: [String] {
            switch self {
            case .unzip: ["-q", "../backups/store.zip"]
            case .bsdtar: ["-xf", "../backups/store.zip"]
            case .python3: ["-m", "zipfile", "-e", "../backups/store.zip", "."]
            }
        }

        var test: [String]? { self == .unzip ? ["-tqq", "../backups/store.zip"] : nil }

        static let installed = allCases.filter {
            (try? run($0.rawValue, ["--version"], in: URL(filePath: "/"))) != nil
                || (try? run($0.rawValue, ["-v"], in: URL(filePath: "/"))) != nil
        }

        static func run(_ program: String, _ arguments: [String], in folder: URL) throws {
            #if os(Linux) || os(macOS)
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = [program] + arguments
                process.currentDirectoryURL = folder
                (process.standardOutput, process.standardError) = (Pipe(), Pipe())
                try process.run()
                process.waitUntilExit()
                guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
            #else
                throw CocoaError(.featureUnsupported)
            #endif
        }
    }

    @Test(arguments: Sweep.cases(Program.installed, sample: 1)) func otherProgramsUnpackIt(
        _ program: Program
    ) throws {
        let store = try store()
        // Several pieces.
        try store.photos(in: [4]).insert(Data(repeating: 7, count: 5 << 19), name: "large")
        try store.projects.append(Box(id: 8, folderName: "é ☕️"))
        try store.projects.copy(to: sandbox.url("copy"))
        try store.projects.archive(to: archive)
        let folder = try sandbox.makeFolder("unpacked")
        if let test = program.test { try Program.run(program.rawValue, test, in: folder) }
        try Program.run(program.rawValue, program.arguments, in: folder)
        let expected = try files("copy")
        #expect(expected.count >= 8)
        #expect(try files("unpacked") == expected)
        // Its folder is empty.
        #expect(sandbox.exists("unpacked/é ☕️"))
    }

    @Test func restoredFromAnArchiveItIsWhatItWas() throws {
        let store = try store()
        let before = try store.tree()
        try store.projects.archive(to: archive)
        try store.projects.remove(id: 3)
        try store.projects.append(Box(id: 9, folderName: "New"))
        try store.notes(in: [4]).append(.salt)
        try store.projects.restore(from: archive)
        #expect(try Session(at: sandbox.url("store")).tree() == before)
        let other = try Session(at: sandbox.url("other"))
        try other.projects.restore(from: archive)
        let restored = try Session(at: sandbox.url("other"))
        #expect(try restored.tree().projects == before.projects)
        #expect(try restored.findings() == [])
        for session in [store, other] { session.waitForBackground() }
        #expect(try sandbox.leftovers("store").isEmpty)
        #expect(try sandbox.leftovers("other").isEmpty)
    }

    @Test func mergeTakesAnArchive() throws {
        let store = try store()
        try store.projects.archive(to: archive)
        try store.projects.remove(id: 3)
        let report = try store.projects.merge(from: archive) { _, _ in .keepMine }
        #expect(report.added == [3] && report.kept.isEmpty)
        #expect(try Session(at: sandbox.url("store")).findings() == [])
    }

    @Test func aFileOfSeveralPiecesComesBack() throws {
        let pieces = try sandbox.boxes("large")
        try pieces.append(Box(id: 1, folderName: "One"))
        let halves = TestSize.choose(sample: 3, gate: 5, full: 5)
        let data = Data((0..<halves << 19).map { UInt8(truncatingIfNeeded: $0 >> 3) })
        try pieces.child(.photos, of: 1).insert(data, name: "large")
        try pieces.archive(to: archive)
        let other = try sandbox.boxes("other")
        try other.restore(from: archive)
        let photos = try other.child(.photos, of: 1)
        try photos.load()
        #expect(try photos.items.map { try photos.data(of: $0.id) } == [data])
    }

    @Test func indexesAreAtTheBeginning() throws {
        try store().projects.archive(to: archive)
        let reader = try ZipReader(ImportSource(at: archive, on: LocalFileSystem()))
        let names = reader.entries.map { $0.entry.path.map(\.string).joined(separator: "/") }
        #expect(names.first == "projects.json")
        let isIndex = names.map { $0.hasSuffix(".json") }
        #expect(isIndex.drop { $0 }.contains(true) == false)
        #expect(names.count > isIndex.count { $0 })
    }

    @Test func emptyCollectionsHaveArchivesToo() throws {
        let empty = try Session(at: sandbox.url("empty"))
        try empty.projects.archive(to: archive)
        let store = try store()
        try store.projects.restore(from: archive)
        #expect(store.projects.isEmpty)
        #expect(!sandbox.exists("store/projects/Ab"))
    }

    /// The originals have no second names afterwards, and the stage is gone.
    @Test func nothingIsLeftOfIt() throws {
        let store = try store()
        try store.projects.archive(to: archive)
        #expect(try sandbox.leftovers("store").isEmpty)
        for path in try files("store").keys {
            #expect(sandbox.status("store/\(path)")?.linkCount == 1, "\(path)")
        }
        #expect(try sandbox.tree("backups").keys.sorted() == ["store.zip"])
    }

    @Test func whatIsThereIsNotReplaced() throws {
        let store = try store()
        try sandbox.write("mine", to: "backups/store.zip")
        expectError(.nameTaken) { try store.projects.archive(to: archive) }
        expectError(.invalidLocation) {
            try store.projects.archive(to: sandbox.url("store/projects/Ab/photos/a.zip"))
        }
        #expect(try sandbox.text("backups/store.zip") == "mine")
        #expect(try sandbox.tree("backups").keys.sorted() == ["store.zip"])
    }

    @Test func itCountsItsBytesAndCanBeCancelled() async throws {
        let store = try store()
        let progress = Progress(totalUnitCount: 0)
        try await store.projects.archive(to: archive, progress: progress)
        #expect(progress.isFinished && progress.totalUnitCount > 1)
        try sandbox.remove("backups/store.zip")
        let cancelled = Progress(totalUnitCount: 0)
        cancelled.cancel()
        #expect(throws: CancellationError.self) {
            try store.projects.archive(to: archive, progress: cancelled)
        }
        #expect(try sandbox.tree("backups").isEmpty)
        #expect(try sandbox.leftovers("store").isEmpty)
    }

    @Test(arguments: Sweep.cases([true, false], sample: 1)) func restoringCountsAndCanBeCancelled(
        _ isArchive: Bool
    ) throws {
        let store = try store()
        let copy = isArchive ? archive : sandbox.url("backups/copy")
        try isArchive ? store.projects.archive(to: copy) : store.projects.copy(to: copy)
        try store.projects.remove(id: 4)
        // Its files are deleted in the background.
        try store.projects.checkpoint()
        let changed = try store.tree()
        let cancelled = Progress(totalUnitCount: 0)
        cancelled.cancel()
        #expect(throws: CancellationError.self) {
            try store.projects.restore(from: copy, progress: cancelled)
        }
        let halfway = Progress(totalUnitCount: 0)
        let process = ProcessFileSystem(LocalFileSystem()) { number, _ in
            if number == 60 { halfway.cancel() }
            return .works
        }
        let index = store.projects.url
        let projects = try Directory<Box>(
            at: index.deletingLastPathComponent(), index: index.lastPathComponent, on: process)
        #expect(throws: CancellationError.self) {
            try projects.restore(from: copy, progress: halfway)
        }
        #expect(process.calls > 60)
        #expect(try store.tree() == changed)
        #expect(try sandbox.leftovers("store").isEmpty)
        let progress = Progress(totalUnitCount: 0)
        try store.projects.restore(from: copy, progress: progress)
        #expect(progress.isFinished && progress.totalUnitCount > 1)
        #expect(store.projects.items.contains(id: 4))
    }

    /// A person can pick a file in a folder that the app may not open.
    @Test func anArchiveInAFolderThatMayNotBeOpenedIsRestored() throws {
        let store = try store()
        try store.projects.archive(to: archive)
        try store.projects.remove(id: 4)
        let parent = sandbox.url("backups").path
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasSuffix(" \(parent)") || call.hasSuffix(" \(parent)/")
                ? .fails(.accessDenied) : .works
        }
        let index = store.projects.url
        let projects = try Directory<Box>(
            at: index.deletingLastPathComponent(), index: index.lastPathComponent, on: process)
        try projects.restore(from: archive)
        #expect(projects.items.contains { $0.id == 4 })
        #expect(process.log.contains { $0.hasSuffix(" \(parent)") || $0.hasSuffix(" \(parent)/") })
    }

    @Test func anArchiveOfAnotherIndexIsRefused() throws {
        let boxes = try sandbox.boxes("boxes")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.archive(to: archive)
        let store = try store()
        let before = try store.tree()
        expectError(.damagedCopy) { try store.projects.restore(from: archive) }
        expectError(.damagedCopy) { try store.projects.restore(from: sandbox.url("missing.zip")) }
        #expect(try Session(at: sandbox.url("store")).tree() == before)
        #expect(try sandbox.leftovers("store").isEmpty)
    }

    /// The volume can neither clone files nor give them second names.
    @Test func volumesWithoutSecondNamesCopyTheBytes() throws {
        let disk = MemoryFileSystem(try Tree.large.disk(.rewrite))
        let process = ProcessFileSystem(disk) { _, call in
            call.hasPrefix("link") ? .fails(.notSupported) : .works
        }
        let store = try Session(on: process, .rewrite)
        try store.projects.archive(to: URL(filePath: "/store.zip"))
        try store.projects.remove(id: 3)
        try store.projects.restore(from: URL(filePath: "/store.zip"))
        #expect(
            try Session(on: ProcessFileSystem(disk), .rewrite).tree().projects
                == Tree.large.projects)
    }

    /// The store is on a volume that cannot be written to, or that is full.
    @Test(arguments: Sweep.cases([Errno.readOnly, .noSpace, .accessDenied], sample: 1))
    func archiveOfAStoreThatCannotBeWrittenToIsPossible(_ error: Errno) throws {
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.child(.photos, of: 1).insert(Data("photo".utf8))
        try boxes.close()
        let path = sandbox.url("store").path
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let writes = ["write", "make", "rename", "remove"].contains {
                call.hasPrefix("\($0) ")
            }
            return writes && call.contains("\(path)/") ? .fails(error) : .works
        }
        let readOnly = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", on: process)
        for name in ["store.zip", "new"] {
            let archive = sandbox.url("backups/\(name)")
            try readOnly.archive(to: archive)
            let restored = try sandbox.boxes("restored \(name)")
            try restored.restore(from: archive)
            try restored.close()
            #expect(try files("restored \(name)") == files("store"))
        }
        #expect(try sandbox.tree("backups").keys.sorted() == ["new", "store.zip"])
    }
}
