import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Copies that are killed, fail or lose power before any of their calls.
struct CopyCrashTests {
    private static let copyURL = URL(filePath: "/backups/copy")
    private let disk: MemoryFileSystem.Image

    init() throws { disk = try Tree.small.disk(.rewrite) }

    private func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
        try Session(on: fileSystem, .rewrite).projects
    }

    /// All files and folders below a folder, by their paths.
    private func tree(_ path: String, on disk: MemoryFileSystem) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        func add(_ folder: Handle, _ prefix: String) throws {
            for name in try disk.list(folder) {
                if try disk.status(of: name, in: folder)?.kind == .folder {
                    found[prefix + name.string] = []
                    try add(disk.openFolder(name, in: folder), "\(prefix)\(name)/")
                } else {
                    found[prefix + name.string] = try disk.readAll(name, in: folder)
                }
            }
        }
        if let folder = try? disk.openFolder(at: path) { try add(folder, "") }
        return found
    }

    private func original() throws -> [String: [UInt8]] {
        try tree("/store/projects", on: MemoryFileSystem(disk))
            .filter { !$0.key.hasSuffix(".lock") }
    }

    /// Expects that there is no copy or a whole one, and that the next copy removes what is left over.
    private func expectAllOrNothing(_ disk: MemoryFileSystem, _ place: Comment) throws {
        let original = try original()
        let names = try tree("/backups", on: disk).keys.filter { !$0.contains("/") }
        if names.contains("copy") {
            #expect(try tree("/backups/copy", on: disk) == original, place)
        }
        try boxes(on: ProcessFileSystem(disk)).copy(to: URL(filePath: "/backups/next"))
        let next = try tree("/backups", on: disk).keys.filter { !$0.contains("/") }
        #expect(Set(next) == Set(names.filter { $0 == "copy" } + ["next"]), place)
        #expect(try tree("/backups/next", on: disk) == original, place)
    }

    @Test func copyThatIsKilledBeforeAnyCallLeavesNothingWithItsName() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 10_000) {
            let disk = MemoryFileSystem(disk)
            let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
            _ = Result { try boxes(on: process).copy(to: Self.copyURL) }
            try expectAllOrNothing(disk, "killed before call \(call), \(sweep)")
            if !process.isDead { return #expect(process.calls > 100) }
        }
        Issue.record("more calls than expected")
    }

    @Test(arguments: [Errno.noSpace, .ioError])
    func copyThatFailsAtAnyCallLeavesNothing(_ code: Errno) throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 10_000) {
            let disk = MemoryFileSystem(disk)
            let process = ProcessFileSystem(disk) { $0 == call ? .fails(code) : .works }
            do {
                try boxes(on: process).copy(to: Self.copyURL)
                #expect(try tree("/backups/copy", on: disk) == original(), "call \(call)")
            } catch let error as DirectoryError {
                #expect([.noSpace, .ioFailure].contains(error.code), "call \(call): \(error)")
                #expect(try tree("/backups", on: disk) == [:], "call \(call)")
            }
            try expectAllOrNothing(disk, "failed at call \(call), \(sweep)")
            if process.calls <= call { return #expect(process.calls > 100) }
        }
        Issue.record("more calls than expected")
    }

    @Test(arguments: PowerLoss.Profile.allCases)
    func powerLossLeavesNoCopyOrAWholeOneAndKeepsOneThatWasMade(_ profile: PowerLoss.Profile)
        throws
    {
        let random = SeededGenerator()
        let disk = RecordedDisk(disk)
        try boxes(on: disk).copy(to: Self.copyURL)
        disk.acknowledge()
        let original = try original()
        let loss = PowerLoss(disk, profile)
        let effort = PowerLoss.Effort(exhaustive: 3, samples: 4, tears: 2)
        var checked: [MemoryFileSystem.Image: Bool] = [:]
        loss.forEachState(at: loss.moments, effort, seed: random.seed) { state in
            let isMade = loss.acknowledgements(at: state.moment) > 0
            guard checked[state.image] != true, checked[state.image] == nil || isMade else {
                return
            }
            checked[state.image] = isMade
            let disk = MemoryFileSystem(state.image)
            #expect(throws: Never.self, "moment \(state.moment), \(random)") {
                let backups = try tree("/backups", on: disk)
                let exists = backups.keys.contains("copy")
                #expect(exists || !isMade, "moment \(state.moment), \(random)")
                if exists {
                    #expect(try tree("/backups/copy", on: disk) == original, "\(random)")
                }
            }
        }
        #expect(checked.values.contains(true) && checked.count > 10)
    }
}
