import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What cannot be read in a container is not taken for the same as in the copy.
struct RestoreComparingTests {
    enum Way: CaseIterable { case restore, restoreArchive, merge }
    enum Damage: CaseIterable { case otherBytes, flippedBit, editedIndex }

    private static func boxes(
        in folder: URL, journaled: Bool = true, on process: ProcessFileSystem
    ) throws -> Directory<Box> {
        var options = DirectoryOptions(keepsRemoved: .days(1))
        if journaled { options.journalThreshold = 0 }
        return try Directory<Box>(
            at: folder.appending(path: "store"), index: "boxes.json", options: options, on: process)
    }

    /// Makes a box with two notes, a copy and an archive; with `journaled`, the second note is in the journal.
    private static func start(
        in folder: URL, journaled: Bool = true, on base: any FileSystem
    ) throws -> Directory<Box> {
        let boxes = try boxes(in: folder, journaled: journaled, on: ProcessFileSystem(base))
        try boxes.append(Box(id: 1, folderName: "One"))
        let notes = try boxes.child(.notes, of: 1)
        for note in [Note.eggs, .milk] { try notes.append(note) }
        try boxes.copy(to: folder.appending(path: "copy"))
        try boxes.archive(to: folder.appending(path: "copy.zip"))
        return boxes
    }

    private static func take(_ way: Way, in folder: URL, into boxes: Directory<Box>) throws {
        switch way {
        case .restore: try boxes.restore(from: folder.appending(path: "copy"))
        case .restoreArchive: try boxes.restore(from: folder.appending(path: "copy.zip"))
        case .merge: try boxes.merge(from: folder.appending(path: "copy")) { _, _ in .takeTheirs }
        }
    }

    @Test(arguments: Sweep.cases(Way.allCases, sample: 1), Sweep.cases(Damage.allCases, sample: 1))
    func aDamagedJournalIsReplaced(_ way: Way, _ damage: Damage) throws {
        let sandbox = try Sandbox()
        try Self.start(in: sandbox.url, on: LocalFileSystem()).close()
        let journal = "store/One/.notes.journal"
        switch damage {
        case .otherBytes: try sandbox.write("other bytes", to: journal)
        case .flippedBit:
            var bytes = try sandbox.bytes(journal)
            bytes[10] ^= 1
            try sandbox.write(bytes, to: journal)
        case .editedIndex: try sandbox.write("[\n{\"id\":1}\n]\n", to: "store/One/notes.json")
        }
        let boxes = try Self.boxes(in: sandbox.url, on: ProcessFileSystem(LocalFileSystem()))
        try boxes.load()
        #expect(throws: DirectoryError.self) { try boxes.notes(of: 1) }
        try Self.take(way, in: sandbox.url, into: boxes)
        #expect(try boxes.notes(of: 1) == [.eggs, .milk])
        #expect(try boxes.verify() == [])
    }

    @Test(
        arguments: Sweep.cases(Way.allCases, sample: 1),
        Sweep.cases([Errno.ioError, .accessDenied, .tooManyOpenFiles], sample: 1))
    func anErrorIsNoSuccess(_ way: Way, _ error: Errno) throws {
        let folder = URL(filePath: "/")
        let disk = MemoryFileSystem()
        try Self.start(in: folder, journaled: false, on: disk).close()
        let second = try Self.boxes(in: folder, on: ProcessFileSystem(disk))
        try second.load()
        let salted = try second.child(.notes, of: 1)
        try salted.append(.salt)
        // The index alone is the same as in the copy; only the journal has the third note.
        let one = try disk.openFolder(at: "/store/One")
        #expect(try disk.status(of: ".notes.journal", in: one) != nil)
        // The release of the last value would write the journal into the index.
        let image = withExtendedLifetime(salted) { disk.image }
        func notes(_ disk: MemoryFileSystem) throws -> [Note] {
            let boxes = try Self.boxes(in: folder, on: ProcessFileSystem(disk))
            try boxes.load()
            return try boxes.notes(of: 1)
        }
        var sweep = Sweep(for: "\(way) \(error)")
        for call in sweep.numbers(below: 1_000, step: 36) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 == call ? .fails(error) : .works }
            let result = Result {
                let boxes = try Self.boxes(in: folder, on: process)
                defer { boxes.core.background.wait() }
                try Self.take(way, in: folder, into: boxes)
            }
            let isOver = process.calls <= call
            process.kill()
            try disk.buryOwners()
            switch result {
            case .success: #expect(try notes(disk) == [.eggs, .milk], "call \(call), \(sweep)")
            case .failure(let error as DirectoryError) where error.code == .inDoubt: break
            case .failure: #expect(try notes(disk).count == 3, "call \(call), \(sweep)")
            }
            if isOver { return }
        }
    }
}
