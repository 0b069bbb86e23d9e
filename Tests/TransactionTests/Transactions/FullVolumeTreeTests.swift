import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Writes to several collections on a volume that becomes full during one of their steps.
@Suite(.enabled(if: SmallVolume.canBeMounted, "only root can mount a small volume"))
struct FullVolumeTreeTests {
    static let operations = StoreOperation.treeWrites + [.transferBox, .transferPhoto]

    /// Performs `operation` after `fill`; small indexes get a journal for it, and those with the threshold 0 have one.
    ///
    /// - Returns: Whether it took place.
    private func takesPlace(
        _ operation: StoreOperation, _ threshold: Int?, fill: (SmallVolume) throws -> Void
    ) throws -> Bool {
        let small = try SmallVolume(inodes: 256)
        let store = small.url.appending(path: "store")
        var options = DirectoryOptions()
        if let threshold { options.journalThreshold = threshold }
        options.journalTime = nil
        func open() throws -> Session {
            try Session(at: store, options, on: ProcessFileSystem(LocalFileSystem()))
        }
        let before = Tree.small
        let step = try #require(operation.step(on: before))
        let after = try #require(step.applied(to: before)).visible
        var session = try open()
        try session.fill(with: before)
        try fill(small)
        var takesPlace = true
        do {
            try step.perform(in: session)
        } catch let error as DirectoryError {
            #expect(error.code == .noSpace, "\(error)")
            takesPlace = false
        }
        let comment: Comment = "\(operation), \(threshold ?? -1)"
        #expect(try session.tree() == (takesPlace ? after : before.visible), comment)
        // The next process finds the same, also while there is no space.
        session = try open()
        #expect(try session.tree() == (takesPlace ? after : before.visible), comment)
        try small.makeSpace()
        if !takesPlace { try step.perform(in: session) }
        #expect(try session.tree() == after, comment)
        #expect(try session.findings().isEmpty, comment)
        return takesPlace
    }

    private static let cases = operations.flatMap { operation in
        [nil, 0].map { (operation, $0) }
    }

    @Test(arguments: Sweep.cases(Array(cases.indices), sample: 1, gate: 5), [true, false])
    func writeTakesPlaceOrNot(_ number: Int, ifInodesRunOut: Bool) throws {
        let (operation, threshold) = Self.cases[number]
        let most = ifInodesRunOut ? 24 : 30
        var sweep = Sweep(for: number)
        let counts = [0] + sweep.numbers(below: most, step: 10) + [most]
        let found = try counts.map { count in
            try takesPlace(operation, threshold) { volume in
                if ifInodesRunOut {
                    try volume.fill(leavingInodes: count)
                } else {
                    try volume.fill(leavingPages: count)
                }
            }
        }
        #expect(found.last == true)
        // What has a journal, and moves no files, may need no more space.
        #expect(found.first == false || threshold == 0)
    }
}
