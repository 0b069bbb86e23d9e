import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Removals whose items can be brought back, and their return, interrupted at each call.
struct RemovedKillTests {
    /// An operation that removes something, and then brings all of it back.
    struct Case: Sendable, CustomStringConvertible {
        let operation: StoreOperation
        let mode: CommitMode

        static let all = [
            StoreOperation.removeBox, .removePhoto, .replaceAndImport, .severalChanges, .replaceBox,
            .writePhotosAndRemoval,
        ].flatMap { operation in operation.modes.map { Case(operation: operation, mode: $0) } }

        var description: String { "\(operation), \(mode)" }
    }

    private func session(_ mode: CommitMode, on fileSystem: any FileSystem) throws -> Session {
        try Session(on: fileSystem, mode, keepsRemoved: .days(30))
    }

    /// The files of photographs, wherever they are, and the titles of notes.
    private func bytes(on disk: MemoryFileSystem) -> Set<String> {
        Set(
            disk.image.contents.values.compactMap { content in
                guard case .file(let bytes) = content else { return nil }
                return Photograph.file(of: bytes)
            })
    }

    /// Expects that the next process finds one of `trees`, that no photograph is lost, and that what was removed comes
    /// back.
    private func expectSound(
        _ disk: MemoryFileSystem, _ trees: [Tree], _ files: Set<String>, _ scenario: Case,
        _ place: Comment
    ) throws {
        try disk.buryOwners()
        let store = try session(scenario.mode, on: ProcessFileSystem(disk))
        let tree = try store.tree()
        #expect(trees.contains(tree), "\(place): \(tree)")
        #expect(try store.findings() == [], place)
        store.waitForBackground()
        #expect(disk.image.leftovers == [], place)
        #expect(bytes(on: disk).isSuperset(of: files), place)
        let isRemoved = tree != Tree.large.visible
        let removed = try store.projects.recentlyRemoved()
        if isRemoved, [.removeBox, .severalChanges].contains(scenario.operation) {
            #expect(removed.map(\.item.id) == [3], place)
            try store.projects.bring(back: removed.map(\.id))
            #expect(try store.tree().files.count == Tree.large.files.count, place)
        } else if !isRemoved {
            #expect(removed.isEmpty, place)
        }
        if isRemoved, scenario.operation == .removePhoto {
            let photos = try store.photos(in: [3])
            try photos.bring(back: photos.recentlyRemoved().map(\.id))
            #expect(try store.tree() == Tree.large.visible, place)
        }
        #expect(try store.findings() == [], place)
    }

    /// Performs the operation on `disk` in a process that is killed before call `call`.
    ///
    /// - Returns: The number of calls that it made, and whether it said that it was done.
    private func remove(_ scenario: Case, on disk: MemoryFileSystem, killedBefore call: Int) throws
        -> (calls: Int, isDone: Bool)
    {
        let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
        var isDone = false
        _ = Result {
            let store = try session(scenario.mode, on: process)
            try scenario.operation.step(on: .large)?.perform(in: store)
            isDone = true
            store.waitForBackground()
        }
        let calls = process.calls
        process.kill()
        return (calls, isDone)
    }

    @Test(arguments: Sweep.cases(Case.all, sample: 4, gate: 8))
    func removalIsAllOrNothing(_ scenario: Case) throws {
        var sweep = Sweep(for: scenario)
        let image = try Tree.large.disk(scenario.mode)
        let after = try #require(scenario.operation.applied(to: .large)).visible
        let files = bytes(on: MemoryFileSystem(image))
        let calls = try remove(scenario, on: MemoryFileSystem(image), killedBefore: .max).calls
        for call in sweep.numbers(below: calls + 1, step: 36) {
            let disk = MemoryFileSystem(image)
            let isDone = try remove(scenario, on: disk, killedBefore: call).isDone
            try expectSound(
                disk, isDone ? [after] : [Tree.large.visible, after], files, scenario,
                "\(scenario) killed before call \(call), \(sweep)")
        }
    }

    /// Also if what was removed comes back, and the process is killed then.
    @Test(arguments: Sweep.cases(CommitMode.durable, sample: 1)) func returnIsAllOrNothing(
        _ mode: CommitMode
    ) throws {
        var sweep = Sweep(for: mode)
        let image = try Tree.large.disk(mode)
        let scenario = Case(operation: .removeBox, mode: mode)
        let removed = MemoryFileSystem(image)
        _ = try remove(scenario, on: removed, killedBefore: .max)
        let after = try #require(StoreOperation.removeBox.applied(to: .large)).visible
        let files = bytes(on: removed)
        for call in sweep.numbers(below: 1_000, step: 36) {
            let disk = MemoryFileSystem(removed.image)
            let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
            var isDone = false
            _ = Result {
                let projects = try session(mode, on: process).projects
                try projects.bring(back: projects.recentlyRemoved().map(\.id))
                isDone = true
            }
            let isDead = process.isDead
            process.kill()
            try expectSound(
                disk, isDone ? [Tree.large.visible] : [Tree.large.visible, after], files, scenario,
                "return in \(mode) killed before call \(call), \(sweep)")
            if !isDead { return }
        }
        if TestSize.current == .full { Issue.record("more calls than expected") }
    }

    /// Another collection removes an item and brings it back before each call, with folders that both use.
    @Test func removedItemsAreListedWhateverOthersInTheFolderDo() throws {
        let options = DirectoryOptions(keepsRemoved: .days(30))
        func photos(on disk: any FileSystem) throws -> Directory<Photo> {
            try Directory(
                at: URL(filePath: "/"), index: "photos.json", options: options, on: disk)
        }
        let start = MemoryFileSystem()
        let photo = try photos(on: ProcessFileSystem(start)).insert(Data("a".utf8))
        let notes = try Directory<Note>(
            at: URL(filePath: "/"), index: "notes.json", options: options,
            on: ProcessFileSystem(start))
        try notes.append(.milk)
        try notes.close()
        var sweep = Sweep()
        for call in sweep.numbers(below: 500).map({ $0 + 1 }) {
            let disk = MemoryFileSystem(start.image)
            let process = ProcessFileSystem(disk) { number, _ in
                if number == call {
                    let other = try? Directory<Note>(
                        at: URL(filePath: "/"), index: "notes.json", options: options,
                        on: ProcessFileSystem(disk))
                    try? other?.remove(id: Note.milk.id)
                    _ = try? other?.bringBack("\(Note.milk.id)")
                }
                return .works
            }
            let photos = try photos(on: process)
            try photos.remove(id: photo.id)
            photos.core.background.wait()
            #expect(
                try photos.recentlyRemoved().map(\.item) == [photo],
                "before call \(call), \(process.log.dropFirst(call - 1).first ?? "")")
            if process.calls < call { return }
        }
        Issue.record("more calls than expected")
    }

    @Test(
        arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1, gate: 1),
        Sweep.cases([StoreOperation.removeBox, .removePhoto], sample: 1))
    func powerLossLeavesWhatWasThereOrWhatCanComeBack(
        _ profile: PowerLoss.Profile, _ operation: StoreOperation
    ) throws {
        let random = SeededGenerator()
        let scenario = Case(operation: operation, mode: .rewrite)
        let disk = RecordedDisk(try Tree.large.disk(.rewrite))
        let files = bytes(on: MemoryFileSystem(disk.start))
        let after = try #require(operation.applied(to: .large)).visible
        let store = try session(.rewrite, on: ProcessFileSystem(disk))
        try operation.step(on: .large)?.perform(in: store)
        disk.acknowledge()
        store.waitForBackground()
        let end = disk.moment
        let loss = PowerLoss(disk, profile)
        let effort = PowerLoss.Effort.sampled(
            exhaustive: TestSize.choose(sample: 2, gate: 4, full: 8),
            samples: TestSize.choose(sample: 2, gate: 8, full: 64), tears: 2)
        var checked: Set<MemoryFileSystem.Image> = []
        var sweep = Sweep(for: "\(profile) \(operation)")
        let moments = sweep.numbers(below: end) + [end]
        try loss.forEachState(at: moments, effort, seed: random.seed) { state in
            guard checked.insert(state.image).inserted else { return }
            let isMade = loss.acknowledgements(at: state.moment) > 0
            try expectSound(
                MemoryFileSystem(state.image), isMade ? [after] : [Tree.large.visible, after],
                files, scenario, "\(scenario), moment \(state.moment), \(random)")
        }
        #expect(checked.count > TestSize.choose(sample: 0, gate: 10, full: 10))
    }
}
