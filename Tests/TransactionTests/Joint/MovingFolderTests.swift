import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Writes to several collections that move a container's folder, and others that were killed inside it.
struct MovingFolderTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let boxes = try sandbox.twoBoxes()
        for id in 1...2 { try boxes.child(.photos, of: id).insert(Data("photo \(id)".utf8)) }
        try boxes.close()
    }

    private func boxes(
        _ path: String = "", on process: ProcessFileSystem = .init(LocalFileSystem())
    ) throws -> Directory<Box> {
        let boxes = try Directory<Box>(at: sandbox.url(path), index: "boxes.json", on: process)
        try boxes.load()
        return boxes
    }

    private func photos(_ path: String, on process: ProcessFileSystem = .init(LocalFileSystem()))
        throws -> Directory<Photo>
    {
        let photos = try Directory<Photo>(at: sandbox.url(path), index: "photos.json", on: process)
        try photos.load()
        return photos
    }

    /// Moves the photograph of the box at `path` to the second box, which decides, in a process that is killed then.
    private func killTransfer(from path: String) throws {
        let process = JointKill.decided.process
        let (source, target) = try (photos(path, on: process), photos("Two", on: process))
        expectError(.inDoubt) { try source.transfer(source.items.map(\.id), to: target) }
    }

    /// Expects that the first box, whose folder is at `path`, has no photograph, and the second one has both.
    private func expectEnded(at path: String) throws {
        let (first, second) = try (photos(path), photos("Two"))
        for photos in [first, second] { try photos.write { _ in } }
        #expect(first.isEmpty)
        let texts = try second.items.map {
            String(decoding: try second.data(of: $0.id), as: UTF8.self)
        }
        #expect(texts == ["photo 2", "photo 1"])
        #expect(try Directory.verify(below: sandbox.url).isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func aWriteIsEndedBeforeItsFolderMovesToAnotherCollection() throws {
        try killTransfer(from: "One")
        let process = ProcessFileSystem(LocalFileSystem())
        try boxes(on: process).transfer([1], to: boxes("archive", on: process))
        try expectEnded(at: "archive/One")
    }

    @Test func recoveryEndsAWriteBeforeItsFolderMovesBack() throws {
        let process = JointKill.undecided.process
        expectError(.inDoubt) {
            try boxes(on: process).transfer([1], to: boxes("archive", on: process))
        }
        try killTransfer(from: "archive/One")
        for path in ["archive", ""] { try boxes(path).write { _ in } }
        try expectEnded(at: "One")
    }

    /// A container moves to the collection that decides, which has the other one inside it.
    @Test(arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1, gate: 1))
    func aContainerThatMovesUpIsInOneOfTheCollections(_ profile: PowerLoss.Profile) throws {
        func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
            var options = DirectoryOptions()
            options.journalThreshold = 0
            options.journalTime = nil
            let boxes = try Directory<Box>(
                at: URL(filePath: "/"), index: "boxes.json", options: options, on: fileSystem)
            try boxes.load()
            return boxes
        }
        let files = MemoryFileSystem()
        do {
            let boxes = try boxes(on: files)
            try boxes.append(Box(id: 1, folderName: "One"))
            let parts = try boxes.child(.parts, of: 1)
            try parts.append(Box(id: 5, folderName: "Five"))
            try parts.child(.notes, of: 5).append(.eggs)
        }
        let disk = RecordedDisk(files.image)
        let top = try boxes(on: disk)
        let parts = try top.child(.parts, of: 1)
        // The first record that a process adds to a journal can be durable at once.
        for (id, boxes) in [(8, top), (9, parts)] {
            try boxes.append(Box(id: id, folderName: "\(id)"))
        }
        let start = disk.events.count
        try parts.transfer([5], to: top)
        try PowerLoss(disk, profile).forEachState(
            at: start...disk.events.count, .sampled(exhaustive: 3, samples: 1, tears: 0), seed: 1
        ) { state in
            let top = try boxes(on: MemoryFileSystem(state.image))
            let parts = try top.child(.parts, of: 1)
            try parts.load()
            for boxes in [top, parts] { try boxes.write { _ in } }
            let owners = [top, parts].filter { $0[id: 5] != nil }
            let place: Comment = "\(profile), event \(state.moment), state \(state.number)"
            #expect(owners.count == 1, place)
            #expect(try owners.first?.notes(of: 5) == [.eggs], place)
        }
    }
}
