import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Copies and archives of a store that 8 writers change all the time, at three levels.
@Suite(.serialized, .timeLimit(.minutes(60))) struct CopyWhileChangingTests {
    private static let copies = TestSize.choose(sample: 2, gate: 5, full: 1_000)

    @Test(arguments: Sweep.cases(Writers.Kind.allCases, sample: 1))
    func eachCopyEqualsOneCommittedState(_ kind: Writers.Kind) throws {
        let sandbox = try Sandbox()
        let writers = try Writers(kind, in: sandbox.url("store"))
        var slowest = Duration.zero
        try writers.run {
            for number in 0..<Self.copies {
                let folder = sandbox.url("copy \(number)")
                let (before, start) = (writers.acknowledged, ContinuousClock.now)
                let store = try Session(
                    at: sandbox.url("store"), on: ProcessFileSystem(LocalFileSystem()))
                if number.isMultiple(of: 2) {
                    try store.projects.copy(to: folder.appending(path: "projects"))
                } else {
                    let archive = sandbox.url("\(number).zip")
                    try store.projects.archive(to: archive)
                    try Session(at: folder).projects.restore(from: archive)
                    try FileManager.default.removeItem(at: archive)
                }
                slowest = max(slowest, ContinuousClock.now - start)
                let faults = try CopiedStore(at: folder).faults(since: before, writers.acknowledged)
                #expect(faults == [], "copy \(number), \(writers.random)")
                // Best effort: a recovery in the background may remove something at the same time.
                try? FileManager.default.removeItem(at: folder)
            }
        }
        #expect(writers.faults == [])
        let commits = writers.acknowledged.reduce(0, +)
        #expect(commits >= Writers.count)
        print(
            "copies: \(kind): \(Self.copies) copies while \(Writers.count) writers went around "
                + "\(commits) times, \(writers.kills) kills; the slowest copy took \(slowest)")
    }
}
