import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Transfers on a volume that becomes full during one of their steps.
@Suite(.enabled(if: SmallVolume.canBeMounted, "only root can mount a small volume"))
struct FullVolumeTransferTests {
    private func options(_ threshold: Int?) -> DirectoryOptions {
        var options = DirectoryOptions()
        if let threshold { options.journalThreshold = threshold }
        return options
    }

    /// Transfers a photograph from one collection to another after `fill`; small indexes are rewritten,
    /// and those with the threshold 0 have a journal.
    ///
    /// - Returns: Whether the transfer took place.
    private func transfers(_ threshold: Int?, fill: (SmallVolume) throws -> Void) throws -> Bool {
        let small = try SmallVolume(inodes: 256)
        let (source, target) = try (
            Directory<Photo>(
                at: small.url.appending(path: "from"), index: "photos.json",
                options: options(threshold)),
            Directory<Photo>(
                at: small.url.appending(path: "to"), index: "photos.json",
                options: options(threshold))
        )
        // The index of the source takes more space than that of the target.
        try source.insert((0..<100).map { Data([UInt8($0)]) })
        try target.insert(Data([1]))
        let photo = try #require(source.items.first)
        try fill(small)
        do {
            try source.transfer([photo.id], to: target)
        } catch let error as DirectoryError {
            #expect(error.code == .noSpace, "\(error)")
            #expect(source.items.contains(id: photo.id) && !target.items.contains(id: photo.id))
            #expect(try source.data(of: photo.id) == Data([0]))
            #expect(try source.verify().isEmpty && target.verify().isEmpty)
            return false
        }
        #expect(!source.items.contains(id: photo.id))
        #expect(try target.data(of: photo.id) == Data([0]))
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
        return true
    }

    @Test func whatAKilledTransferLeftCanBeReadOnAFullVolume() throws {
        let small = try SmallVolume()
        func photos(_ name: String, on process: ProcessFileSystem) throws -> Directory<Photo> {
            try Directory<Photo>(
                at: small.url.appending(path: name), index: "photos.json", on: process)
        }
        let process = JointKill.decided.process
        let (source, target) = try (photos("from", on: process), photos("to", on: process))
        let photo = try source.insert(Data([1]))
        try target.insert(Data([2]))
        expectError(.inDoubt) { try source.transfer([photo.id], to: target) }
        try small.fill()

        let next = ProcessFileSystem(LocalFileSystem())
        let (from, to) = try (photos("from", on: next), photos("to", on: next))
        try from.load()
        try to.load()
        #expect(try to.data(of: photo.id) == Data([1]))
        #expect(from.isEmpty && to.count == 2)
        expectError(.noSpace) { try from.remove(id: photo.id) }
        try small.makeSpace()
        try from.load()
        #expect(from.isEmpty && to.count == 2)
        #expect(try from.verify().isEmpty && to.verify().isEmpty)
    }

    @Test(arguments: Sweep.cases([nil, 0], sample: 1))
    func transferTakesPlaceOrNotIfInodesRunOut(threshold: Int?) throws {
        let counts = [0] + Sweep.cases(Array(1..<11), sample: 1) + [11]
        let found = try counts.map { count in
            try transfers(threshold) { try $0.fill(leavingInodes: count) }
        }
        #expect(found.first == false && found.last == true)
    }

    @Test(arguments: Sweep.cases([nil, 0], sample: 1)) func transferTakesPlaceOrNotIfSpaceRunsOut(
        threshold: Int?
    ) throws {
        // More than so many pages are enough.
        var sweep = Sweep()
        let counts = [0] + sweep.numbers(below: 39) + [39]
        let found = try counts.map { count in
            try transfers(threshold) { try $0.fill(leavingPages: count) }
        }
        #expect(found.first == false && found.last == true)
    }

    /// An index with a damaged element is rewritten, however large it is.
    @Test func transferOutOfALargeIndexTakesPlaceOrNotIfSpaceRunsOut() throws {
        let items = TestSize.choose(sample: 60, gate: 200, full: 200)
        var sweep = Sweep()
        let counts = [0] + sweep.numbers(below: 1_000, step: 150) + [1_000]
        let found = try counts.map { count -> Bool in
            let small = try SmallVolume()
            let rest = String(repeating: "x", count: 10_000)
            let lines = (0..<items).map {
                #"{"id":\#($0),"folderName":"\#($0)","rest":"\#(rest)"}"#
            }
            let (from, to) = (small.url.appending(path: "from"), small.url.appending(path: "to"))
            try FileManager.default.createDirectory(at: from, withIntermediateDirectories: false)
            try Data("[{},\(lines.joined(separator: ","))]".utf8)
                .write(to: from.appending(path: "boxes.json"))
            let source = try Directory<Box>(at: from, index: "boxes.json")
            let target = try Directory<Box>(at: to, index: "boxes.json")
            try source.load()
            try target.append(Box(id: 1_000, folderName: "Target"))
            try small.fill(leavingPages: count)
            do {
                try source.transfer([5], to: target)
            } catch let error as DirectoryError {
                // It is decided, and the volume took back a page of the reserve: the next process ends it.
                if error.code == .inDoubt { return true }
                #expect(error.code == .noSpace, "\(count) pages: \(error)")
                #expect(source.count == items && target.count == 1)
                return false
            }
            #expect(source.count == items - 1 && target.count == 2)
            return true
        }
        #expect(found.first == false && found.last == true)
    }
}
