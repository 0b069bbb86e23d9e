import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Restorings that are interrupted at each call.
struct RestoreKillTests {
    private static let copy = URL(filePath: "/backups/copy")

    /// What has changed since the copy was made.
    enum Change: CaseIterable, Sendable {
        /// Items, their order and their folders.
        case items
        /// Only what is in a folder, so that the lines of the index stay.
        case contents
    }

    private func session(_ mode: CommitMode, on fileSystem: any FileSystem, _ keeps: Bool) throws
        -> Session
    {
        try Session(on: fileSystem, mode, keepsRemoved: keeps ? .days(1) : nil)
    }

    /// A store of which there is a copy, and which has changed since.
    private func disk(_ change: Change, _ mode: CommitMode) throws
        -> (image: MemoryFileSystem.Image, before: Tree)
    {
        let disk = MemoryFileSystem(try Tree.large.disk(mode))
        let store = try Session(on: ProcessFileSystem(disk), mode)
        try store.projects.copy(to: Self.copy)
        switch change {
        case .items:
            try store.projects.write { draft in
                try draft.remove(id: 4)
                try draft.update(id: 5) { $0.folderName = "Cd" }
                try draft.append(Box(id: 9, folderName: "Ef"))
                try draft.write(.notes, of: 9) { try $0.append(.eggs) }
                try draft.move(fromOffsets: [1], toOffset: 0)
            }
        case .contents: break
        }
        try store.notes(in: [3]).append(.milk)
        try store.finish()
        return (disk.image, try store.tree())
    }

    private func restore(
        _ mode: CommitMode, on fileSystem: any FileSystem, _ keeps: Bool
    ) throws {
        let store = try session(mode, on: fileSystem, keeps)
        try store.projects.restore(from: Self.copy)
        store.waitForBackground()
    }

    private func expectSound(
        _ disk: MemoryFileSystem, _ trees: [Tree], _ mode: CommitMode, _ place: Comment
    ) throws {
        try disk.buryOwners()
        let store = try Session(on: ProcessFileSystem(disk), mode)
        let tree = try store.tree()
        #expect(trees.contains(tree), "\(place): \(tree)")
        // After a power loss, nobody knows whose a stage is.
        let findings = try store.findings().filter { $0.kind != .leftoverStage }
        #expect(findings == [], place)
        store.waitForBackground()
        #expect(disk.image.leftovers == [], place)
        try store.projects.restore(from: Self.copy)
        // What was replaced has to be opened again.
        let again = try Session(on: ProcessFileSystem(disk), mode)
        #expect(try again.tree() == Tree.large.visible, place)
    }

    @Test(
        arguments: Sweep.cases(Change.allCases, sample: 1),
        Sweep.cases([CommitMode.rewrite, .journal], sample: 1))
    func restoringIsAllOrNothing(_ change: Change, _ mode: CommitMode) throws {
        let (image, before) = try disk(change, mode)
        for keeps in [false, true] {
            var sweep = Sweep(for: "\(change) \(mode) \(keeps)")
            let whole = ProcessFileSystem(MemoryFileSystem(image))
            try restore(mode, on: whole, keeps)
            for call in sweep.numbers(below: whole.calls + 1, step: 384) {
                let disk = MemoryFileSystem(image)
                let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
                var isDone = false
                _ = Result {
                    try restore(mode, on: process, keeps)
                    isDone = true
                }
                process.kill()
                try expectSound(
                    disk, isDone ? [Tree.large.visible] : [before, Tree.large.visible], mode,
                    "\(change) in \(mode), killed before call \(call), \(sweep)")
            }
        }
    }

    /// A process that cannot write shows what recovery will leave, and can copy it.
    @Test(arguments: [CommitMode.rewrite, .journal])
    func aReaderShowsWhatRecoveryLeaves(_ mode: CommitMode) throws {
        let image = try disk(.items, mode).image
        let whole = ProcessFileSystem(MemoryFileSystem(image))
        try restore(mode, on: whole, false)
        let decision = try #require(whole.log.firstIndex { $0.decidesTree })
        var sweep = Sweep(for: "\(mode)")
        let calls = sweep.numbers(below: whole.calls + 1, step: 384)
        let near = Sweep.cases(Array(decision - 4..<decision + 24), sample: 6)
        for call in Set(calls).union(near).sorted() {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
            _ = Result { try restore(mode, on: process, false) }
            process.kill()
            try disk.buryOwners()
            let reader = ProcessFileSystem(MemoryFileSystem(disk.image), readOnlyBelow: "/store")
            let recovered = try Session(on: ProcessFileSystem(disk), mode).tree().projects
            let place: Comment = "killed before call \(call), decided at \(decision), \(sweep)"
            let projects = try Session(on: reader, mode).projects
            try projects.load()
            #expect(Array(projects.items) == recovered.map(\.box), place)
            try projects.copy(to: URL(filePath: "/copied/projects"))
            let copied = try Session(at: URL(filePath: "/copied"), on: reader)
            #expect(try copied.tree().projects == recovered, place)
            #expect(try copied.findings() == [], place)
        }
    }

    /// Who changes a folder from the copy before the restoring is decided.
    enum Editor: CaseIterable { case person, processThatKnowsOnlyTheFolder }

    /// The restoring then takes place, because without it the folder would be removed.
    @Test(
        arguments: Sweep.cases(Editor.allCases, sample: 1),
        Sweep.cases([CommitMode.rewrite, .journal], sample: 1))
    func changeInAFolderFromTheCopyIsKept(by editor: Editor, _ mode: CommitMode) throws {
        let disk = MemoryFileSystem(try disk(.items, mode).image)
        try restoreUntilAllHasMoved(mode, on: disk)
        try disk.buryOwners()
        try edit(mode, by: editor, on: disk)
        try expectEdited(disk, mode, "\(editor)")
    }

    @Test(
        arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1, gate: 1),
        Sweep.cases([CommitMode.rewrite, .journal], sample: 1))
    func changeInAFolderFromTheCopyOutlivesPowerLoss(
        _ profile: PowerLoss.Profile, _ mode: CommitMode
    ) throws {
        let image = try disk(.items, mode).image
        let whole = ProcessFileSystem(MemoryFileSystem(image))
        try restore(mode, on: whole, false)
        func number(ofRenameTo name: String) throws -> Int {
            try #require(
                whole.log.firstIndex { $0.hasPrefix("rename ") && $0.hasSuffix("/\(name)") })
        }
        let decision = try #require(whole.log.firstIndex { $0.decidesTree })
        let calls = try number(ofRenameTo: "Ab")...decision
        var sweep = Sweep(for: "\(profile) \(mode)")
        let random = SeededGenerator()
        for call in sweep.some(Array(calls), 4) {
            let disk = RecordedDisk(image)
            let process = ProcessFileSystem(disk) { $0 > call + 1 ? .killed : .works }
            _ = Result { try restore(mode, on: process, false) }
            #expect(process.isDead)
            try edit(mode, by: .processThatKnowsOnlyTheFolder, on: disk)
            let effort = PowerLoss.Effort.sampled(
                exhaustive: 3, samples: TestSize.choose(sample: 8, gate: 16, full: 256), tears: 1)
            let place: Comment = "\(profile), \(mode), killed after \(whole.log[call]), \(random)"
            PowerLoss(disk, profile).forEachState(at: [disk.moment], effort, seed: random.seed) {
                state in
                #expect(throws: Never.self, place) {
                    let disk = MemoryFileSystem(state.image)
                    try disk.buryOwners()
                    // After a power loss, nobody knows whose a stage is.
                    try expectEdited(disk, mode, place, accepting: .leftoverStage)
                }
            }
        }
    }

    /// The part in the journal and the folder of the copy become durable in one step, in any order.
    @Test func aPartWithoutTheCopyChangesNothing() throws {
        let (image, before) = try disk(.items, .rewrite)
        let disk = MemoryFileSystem(image)
        let process = ProcessFileSystem(disk) { _, line in
            line.hasPrefix("rename ") && line.hasSuffix("/old-1") ? .killed : .works
        }
        _ = Result { try restore(.rewrite, on: process, false) }
        #expect(process.isDead)
        let staging = try disk.openFolder(at: "/store/projects/.staging")
        let name = try #require(try disk.list(staging).first)
        let own = try disk.openFolder(name, in: staging)
        try disk.removeTree("new", in: own)
        try expectSound(disk, [before], .rewrite, "")
    }

    private func restoreUntilAllHasMoved(_ mode: CommitMode, on disk: any FileSystem) throws {
        let process = ProcessFileSystem(disk) { _, line in
            line.decidesTree ? .killed : .works
        }
        _ = Result { try restore(mode, on: process, false) }
        #expect(process.isDead)
    }

    private func edit(_ mode: CommitMode, by editor: Editor, on disk: any FileSystem) throws {
        let folder = URL(filePath: "/store/projects/Ab")
        switch editor {
        case .person:
            let file = try disk.openFile(
                "notes.json", in: disk.openFolder(at: folder.path), for: .create(mode: 0o600))
            try disk.write(Array("[{\"id\":103,\"title\":\"n\"}]".utf8), to: file, at: 0)
        case .processThatKnowsOnlyTheFolder:
            var options = DirectoryOptions()
            if mode == .journal { options.journalThreshold = 0 }
            let notes = try Directory<Note>(
                at: folder, index: "notes.json", options: options, on: ProcessFileSystem(disk))
            try notes.append(.edited)
        }
    }

    private func expectEdited(
        _ disk: MemoryFileSystem, _ mode: CommitMode, _ place: Comment,
        accepting accepted: Finding.Kind? = nil
    ) throws {
        let store = try Session(on: ProcessFileSystem(disk), mode)
        let tree = try store.tree()
        #expect(tree.projects.map(\.box) == Tree.large.projects.map(\.box), place)
        #expect(tree.projects.first?.notes == [.edited], place)
        #expect(try store.findings().filter { $0.kind != accepted } == [], place)
    }

    @Test(arguments: Sweep.cases(Change.allCases, sample: 1)) func restoringThatFailsChangesNothing(
        _ change: Change
    )
        throws
    {
        let (image, before) = try disk(change, .rewrite)
        var sweep = Sweep(for: change)
        let whole = ProcessFileSystem(MemoryFileSystem(image))
        try restore(.rewrite, on: whole, true)
        for call in sweep.numbers(below: whole.calls, step: 384) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 == call ? .fails(.ioError) : .works }
            let place: Comment = "\(change), call \(call) fails, \(sweep)"
            do {
                try restore(.rewrite, on: process, true)
                try expectSound(disk, [Tree.large.visible], .rewrite, place)
            } catch let error as DirectoryError {
                let trees = error.code == .inDoubt ? [before, Tree.large.visible] : [before]
                try expectSound(disk, trees, .rewrite, place)
            }
        }
    }

    /// Whatever it leaves, the next process ends it.
    @Test(arguments: Sweep.cases(Change.allCases, sample: 1))
    func diskThatFailsFromAnyCallOnLosesNothing(_ change: Change)
        throws
    {
        let (image, before) = try disk(change, .rewrite)
        var sweep = Sweep(for: change)
        let whole = ProcessFileSystem(MemoryFileSystem(image))
        try restore(.rewrite, on: whole, false)
        for call in sweep.numbers(below: whole.calls, step: 384) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 >= call ? .fails(.ioError) : .works }
            let isDone = Result { try restore(.rewrite, on: process, false) }
            process.kill()
            var trees = [Tree.large.visible]
            if case .failure = isDone { trees.append(before) }
            try expectSound(
                disk, trees, .rewrite, "\(change), all fails from call \(call) on, \(sweep)")
        }
    }

    @Test(
        arguments: Sweep.cases(
            PowerLoss.Profile.allCases.flatMap { profile in Change.allCases.map { (profile, $0) } },
            sample: 1, gate: 1))
    func powerLossLeavesAllOrNothing(_ profile: PowerLoss.Profile, _ change: Change) throws {
        let (image, before) = try disk(change, .rewrite)
        let disk = RecordedDisk(image)
        try restore(.rewrite, on: ProcessFileSystem(disk), true)
        disk.acknowledge()
        disk.forEachPowerLoss(profile, in: "\(change)") { disk, isDone, place in
            let place = Comment(rawValue: place)
            #expect(throws: Never.self, place) {
                try expectSound(
                    disk, isDone ? [Tree.large.visible] : [before, Tree.large.visible], .rewrite,
                    place)
            }
        }
    }
}
