import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

/// One call that changes a store that holds the files `before`, and the files `after` it.
struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let after: [String: String]
    let perform: @Sendable (any FileStoring) async throws -> Void

    static let before = ["a/file": "old", "a/other": "kept", "source": "source"]

    static let all: [Change] = [
        Change("save over a file", ["a/file": "new"]) { try await $0.save("new", to: "a/file") },
        Change("save into new folders", ["b/c/file": "new"]) {
            try await $0.save("new", to: "b/c/file")
        },
        Change("save without overwriting", ["b": "new"]) {
            try await $0.save("new", to: "b", overwrite: false)
        },
        Change("copy over a file", ["a/file": "source"]) {
            try await $0.copy(from: $0.url(for: "source"), to: "a/file")
        },
        Change("move over a file", ["a/file": "source"], without: ["source"]) {
            try await $0.move(from: $0.url(for: "source"), to: "a/file")
        },
        Change("delete a file", without: ["a/file"]) { try await $0.delete("a/file") },
        Change("delete a folder", without: ["a/file", "a/other"]) {
            try await $0.deleteDirectory("a")
        },
        Change("delete all", without: Array(before.keys)) { try await $0.deleteAll() },
        Change("create a folder") { try await $0.createDirectory("b/c") },
    ]

    private init(
        _ description: String, _ added: [String: String] = [:], without removed: [String] = [],
        _ perform: @escaping @Sendable (any FileStoring) async throws -> Void
    ) {
        testDescription = description
        after = Self.before.merging(added) { $1 }.filter { !removed.contains($0.key) }
        self.perform = perform
    }
}

struct CrashTests {
    static let root = URL(filePath: "/stores/store", directoryHint: .isDirectory)

    private func makeDisk() async throws -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        let store = DiskFileStore(at: Self.root, on: disk)
        for (path, text) in Change.before { try await store.save(text, to: path) }
        return disk
    }

    private func files(on disk: any FileSystem) async throws -> [String: String] {
        let store = DiskFileStore(at: Self.root, on: disk)
        var files: [String: String] = [:]
        for file in try await store.list(recursive: true) where !file.isDirectory {
            files[file.relativePath] = try await store.text(file.relativePath)
        }
        return files
    }

    @Test(arguments: Sweep.cases(Change.all, sample: 1))
    func killedChangeIsAllOrNothing(_ change: Change) async throws {
        var (step, isComplete) = (0, false)
        var states: Set<[String: String]> = []
        while !isComplete {
            let disk = try await makeDisk()
            let process = ProcessFileSystem(disk) { [step] in $0 >= step ? .killed : .works }
            do {
                try await change.perform(DiskFileStore(at: Self.root, on: process))
                isComplete = !process.isDead
            } catch is ProcessFileSystem.Killed {}
            let found = try await files(on: disk)
            #expect([Change.before, change.after].contains(found), "killed at call \(step)")
            states.insert(found)
            let reopened = DiskFileStore(at: Self.root, on: disk)
            try await reopened.save("x", to: "a/file")
            #expect(try await reopened.text("a/file") == "x")
            step += 1
        }
        #expect(states == [Change.before, change.after])
    }

    @Test(
        arguments: Sweep.cases(Change.all, sample: 1),
        Sweep.cases([Errno.noSpace, .ioError, .accessDenied], sample: 1))
    func failedCallLosesNothingAndCanBeRepeated(_ change: Change, _ code: Errno) async throws {
        var (step, isComplete) = (0, false)
        while !isComplete {
            let disk = try await makeDisk()
            let process = ProcessFileSystem(disk) { [step] in $0 == step ? .fails(code) : .works }
            do {
                try await change.perform(DiskFileStore(at: Self.root, on: process))
                isComplete = process.calls <= step
            } catch let error as FileStoreError {
                #expect("\(error)".contains(code.reason), "failed at call \(step)")
            }
            let found = try await files(on: disk)
            #expect([Change.before, change.after].contains(found), "failed at call \(step)")
            if found == Change.before {
                try await change.perform(DiskFileStore(at: Self.root, on: disk))
            }
            #expect(try await files(on: disk) == change.after, "failed at call \(step)")
            step += 1
        }
    }

    /// Before the change was acknowledged, its old state and its new one are right.
    ///
    /// POSIX alone allows a file that is moved between two folders to be in both.
    @Test(
        arguments: Sweep.cases(Change.all, sample: 1),
        Sweep.cases(PowerLoss.Profile.allCases, sample: 1))
    func powerLossLeavesOldOrNewFilesAndKeepsAcknowledgedOnes(
        _ change: Change, _ profile: PowerLoss.Profile
    ) async throws {
        let random = SeededGenerator()
        let disk = RecordedDisk(try await makeDisk().image)
        try await change.perform(DiskFileStore(at: Self.root, on: disk))
        disk.acknowledge()
        let loss = PowerLoss(disk, profile)
        var (early, late): (Set<MemoryFileSystem.Image>, Set<MemoryFileSystem.Image>) = ([], [])
        loss.forEachState(at: loss.moments, .init(), seed: random.seed) { state in
            if loss.acknowledgements(at: state.moment) > 0 {
                late.insert(state.image)
            } else {
                early.insert(state.image)
            }
        }
        var whole = [Change.before, change.after]
        if profile == .posix { whole.append(Change.before.merging(change.after) { $1 }) }
        for image in early.subtracting(late) {
            let found = try await files(on: MemoryFileSystem(image))
            #expect(whole.contains(found), "seed \(random.seed)")
        }
        for image in late {
            let found = try await files(on: MemoryFileSystem(image))
            #expect(found == change.after, "seed \(random.seed)")
        }
    }
}
