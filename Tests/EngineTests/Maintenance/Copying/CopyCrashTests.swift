import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Copies that are killed, fail or lose power before any of their calls.
struct CopyCrashTests {
    /// What is at the place of the copy.
    enum Place: CaseIterable {
        case free, earlierCopy
        /// The volume cannot exchange two names.
        case earlierCopyWithoutExchange
        /// The folder of the copies cannot be synced.
        case earlierCopyThatCannotBeReplaced

        static let working = allCases.filter { $0 != .earlierCopyThatCannotBeReplaced }
    }

    private typealias Contents = [String: [UInt8]]
    private typealias Decision = @Sendable (Int) -> ProcessFileSystem.Fate

    private static let copyURL = URL(filePath: "/backups/copy")
    private static let aside = "copy (earlier copy)"

    private func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
        try Session(on: fileSystem, .rewrite).projects
    }

    /// A process whose calls are decided by `decision`.
    private func process(
        _ place: Place, on disk: any FileSystem, _ decision: @escaping Decision = { _ in .works }
    ) -> ProcessFileSystem {
        ProcessFileSystem(disk) { number, line in
            let fate = decision(number)
            if place == .earlierCopyThatCannotBeReplaced, line == "sync /backups" {
                return .fails(.ioError)
            }
            guard case .works = fate, place == .earlierCopyWithoutExchange,
                line.hasPrefix("exchange")
            else { return fate }
            return .skipped
        }
    }

    /// All files and folders below a folder, by their paths, without lock files and manifests.
    private func tree(_ path: String, on disk: any FileSystem) throws -> Contents {
        var found: Contents = [:]
        func add(_ folder: Handle, _ prefix: String) throws {
            for name in try disk.list(folder) {
                if try disk.status(of: name, in: folder)?.kind == .folder {
                    found[prefix + name.string] = []
                    try add(disk.openFolder(name, in: folder), "\(prefix)\(name)/")
                } else if ![".lock", ".copy"].contains(where: name.string.hasSuffix) {
                    found[prefix + name.string] = try disk.readAll(name, in: folder)
                }
            }
        }
        if let folder = try? disk.openFolder(at: path) { try add(folder, "") }
        return found
    }

    private func names(on disk: MemoryFileSystem) throws -> Set<String> {
        try Set(tree("/backups", on: disk).keys.filter { !$0.contains("/") })
    }

    /// Puts what is at the place of the copy there, and changes the store then.
    private func prepare(_ place: Place, on disk: any FileSystem) throws {
        guard place != .free else { return }
        let boxes = try boxes(on: disk)
        try boxes.copy(to: Self.copyURL)
        let box = try #require(boxes.items.first)
        try boxes.child(.notes, of: box.id).append(Note(id: 77, title: "later"))
        try boxes.child(.photos, of: box.id).insert(Data("later".utf8))
    }

    /// A disk before the copy, and what its copy was and will be.
    private func disk(_ place: Place) throws -> (MemoryFileSystem, before: Contents?, Contents) {
        let disk = MemoryFileSystem(try Tree.small.disk(.rewrite))
        try prepare(place, on: disk)
        let before = place == .free ? nil : try tree("/backups/copy", on: disk)
        return (disk, before, try tree("/store/projects", on: disk))
    }

    /// Expects that the earlier copy or the new one is there and whole, and that the next copy removes what is left
    /// over.
    private func expectAllOrNothing(
        _ place: Place, on disk: MemoryFileSystem, _ before: Contents?, _ after: Contents,
        _ comment: Comment
    ) throws {
        let names = try names(on: disk)
        let found =
            try names.contains("copy")
            ? tree("/backups/copy", on: disk)
            : names.contains(Self.aside) ? tree("/backups/\(Self.aside)", on: disk) : nil
        #expect(found == before || found == after, comment)
        if place != .earlierCopyWithoutExchange {
            #expect(!names.contains(Self.aside), comment)
        }
        try boxes(on: process(place, on: disk)).copy(to: Self.copyURL)
        #expect(try self.names(on: disk).subtracting([Self.aside]) == ["copy"], comment)
        #expect(try tree("/backups/copy", on: disk) == after, comment)
    }

    @Test(arguments: Sweep.cases(Place.working, sample: 1))
    func copyThatIsKilledBeforeAnyCallLeavesWhatWasThereOrAWholeCopy(_ place: Place) throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 10_000, step: 9) {
            let (disk, before, after) = try disk(place)
            let process = process(place, on: disk) { $0 >= call ? .killed : .works }
            _ = Result { try boxes(on: process).copy(to: Self.copyURL) }
            try expectAllOrNothing(
                place, on: disk, before, after, "killed before call \(call), \(sweep)")
            if !process.isDead { return #expect(process.calls > 100) }
        }
        Issue.record("more calls than expected")
    }

    @Test(
        arguments: Sweep.cases([Errno.noSpace, .ioError], sample: 1, gate: 1),
        Sweep.cases(Place.working, sample: 1))
    func copyThatFailsAtAnyCallLeavesWhatWasThere(_ code: Errno, _ place: Place) throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 10_000, step: 9) {
            let (disk, before, after) = try disk(place)
            let process = process(place, on: disk) { $0 == call ? .fails(code) : .works }
            do {
                try boxes(on: process).copy(to: Self.copyURL)
                #expect(try tree("/backups/copy", on: disk) == after, "call \(call)")
            } catch let error as DirectoryError {
                #expect([.noSpace, .ioFailure].contains(error.code), "call \(call): \(error)")
                let found = try tree("/backups", on: disk)["copy"] != nil
                let copy = try tree("/backups/copy", on: disk)
                #expect((found ? copy : nil) == before, "call \(call): \(error)")
                #expect(try names(on: disk).subtracting(["copy"]).isEmpty, "call \(call): \(error)")
            }
            try expectAllOrNothing(
                place, on: disk, before, after, "failed at call \(call), \(sweep)")
            if process.calls <= call { return #expect(process.calls > 100) }
        }
        Issue.record("more calls than expected")
    }

    @Test(
        arguments: Sweep.cases(
            PowerLoss.Profile.allCases.flatMap { profile in Place.allCases.map { (profile, $0) } },
            sample: 1, gate: 4))
    func powerLossLeavesWhatWasThereOrAWholeCopyAndKeepsOneThatWasMade(
        _ profile: PowerLoss.Profile, _ place: Place
    ) throws {
        let random = SeededGenerator()
        let disk = RecordedDisk(try Tree.small.disk(.rewrite))
        try prepare(place, on: disk)
        let begin = disk.moment
        let before = place == .free ? nil : try tree("/backups/copy", on: disk)
        let after = try tree("/store/projects", on: disk)
        let copying = Result { try boxes(on: process(place, on: disk)).copy(to: Self.copyURL) }
        let succeeds = place != .earlierCopyThatCannotBeReplaced
        if succeeds {
            try copying.get()
            disk.acknowledge()
        } else {
            #expect(throws: DirectoryError.self) { try copying.get() }
        }
        let loss = PowerLoss(disk, profile)
        let effort = PowerLoss.Effort.sampled(exhaustive: 3, samples: 4, tears: 2)
        var checked: [MemoryFileSystem.Image: Bool] = [:]
        let moments = Array(begin...disk.moment)
        var sweep = Sweep(for: "\(profile) \(place)")
        let few = sweep.some(moments.dropLast(), 16).sorted() + moments.suffix(1)
        let tried = TestSize.current == .sample ? few : moments
        loss.forEachState(at: tried, effort, seed: random.seed) { state in
            let isMade = loss.acknowledgements(at: state.moment) > 0
            guard checked[state.image] != true, checked[state.image] == nil || isMade else {
                return
            }
            checked[state.image] = isMade
            let disk = MemoryFileSystem(state.image)
            let comment: Comment = "\(place), moment \(state.moment), \(random)"
            #expect(throws: Never.self, comment) {
                let names = try names(on: disk)
                let name = names.contains("copy") ? "copy" : Self.aside
                let found = names.contains(name) ? try tree("/backups/\(name)", on: disk) : nil
                #expect(found == after || !isMade && found == before, comment)
                if isMade { #expect(name == "copy", comment) }
                if names.contains(Self.aside) {
                    #expect(try tree("/backups/\(Self.aside)", on: disk) == before, comment)
                }
            }
        }
        #expect(checked.values.contains(true) == succeeds)
        #expect(checked.count > TestSize.choose(sample: 0, gate: 10, full: 10))
    }

    /// The copy has the transaction too, and what leads to it.
    @Test(arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1))
    func copyOfAStoreWithADeadTransactionOutlivesPowerLoss(_ profile: PowerLoss.Profile) throws {
        let random = SeededGenerator()
        var kills = 0
        var sweep = Sweep()
        for call in sweep.numbers(below: 10_000, step: 9) {
            let disk = RecordedDisk(try Tree.small.disk(.rewrite))
            let boxes = try boxes(on: disk)
            try boxes.load()
            let box = try #require(boxes.items.first)
            let remover = process(.free, on: disk) { $0 >= call ? .killed : .works }
            _ = Result {
                let photos = try self.boxes(on: remover).child(.photos, of: box.id)
                try photos.removeAll { _ in true }
            }
            guard remover.isDead else { break }
            kills += 1
            let copying = process(.free, on: disk)
            try self.boxes(on: copying).copy(to: Session.newCopy)
            let loss = PowerLoss(disk, profile)
            let effort = PowerLoss.Effort.sampled(exhaustive: 3, samples: 4, tears: 2)
            loss.forEachState(at: disk.moment...disk.moment, effort, seed: random.seed) { state in
                let comment: Comment = "killed before call \(call), \(random), \(sweep)"
                #expect(throws: Never.self, comment) {
                    let disk = MemoryFileSystem(state.image)
                    let parent = Session.newCopy.deletingLastPathComponent()
                    let copy = try Session(at: parent, on: ProcessFileSystem(disk))
                    _ = try copy.tree()
                    #expect(try copy.findings() == [], comment)
                }
            }
        }
        #expect(kills > TestSize.choose(sample: 0, gate: 2, full: 2))
    }
}
