import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Names and places of containers on which an unfinished transfer or another index relies.
@Suite(.timeLimit(.minutes(30))) struct TreeNameTests {
    let disk: MemoryFileSystem
    /// The photograph in the first box.
    let photo: Photo

    init() throws {
        disk = MemoryFileSystem()
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        photo = try boxes.child(.photos, of: 1).insert(Data([1]), name: "a.jpg")
    }

    private static let options = DirectoryOptions(lockTimeout: .milliseconds(20))

    private static func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
        let boxes = try Directory<Box>(
            at: URL(filePath: "/store"), index: "boxes.json", options: options, on: fileSystem)
        try boxes.load()
        return boxes
    }

    private static func photos(_ path: String, on fileSystem: any FileSystem) throws
        -> Directory<Photo>
    {
        try Directory<Photo>(
            at: URL(filePath: path), index: "photos.json", options: options, on: fileSystem)
    }

    private func boxes() throws -> Directory<Box> { try Self.boxes(on: ProcessFileSystem(disk)) }

    /// Expects that just one box has the photograph, with its bytes, and that nothing is left over.
    private func expectIntact(at location: SourceLocation = #_sourceLocation) throws {
        let boxes = try boxes()
        var owners = 0
        for box in boxes.items.reversed() {
            let photos = try boxes.child(.photos, of: box.id)
            #expect(try photos.verify().isEmpty, sourceLocation: location)
            guard photos[id: photo.id] != nil else { continue }
            owners += 1
            #expect(try photos.data(of: photo.id) == Data([1]), sourceLocation: location)
        }
        #expect(owners == 1, sourceLocation: location)
        let findings = try boxes.verify()
        #expect(findings.isEmpty, "\(findings)", sourceLocation: location)
    }

    @Test(arguments: ["boxes", "BOXES", "boxes.json"])
    func containerCannotHaveTheNameOfItsIndex(_ name: String) throws {
        let boxes = try boxes()
        expectError(.nameTaken) { try boxes.append(Box(id: 3, folderName: name)) }
        expectError(.nameTaken) { try boxes.update(Box(id: 1, folderName: name)) }
    }

    /// Kills a transfer before each of its calls; then its source cannot be opened.
    @Test func folderThatCannotBeOpenedIsNotRenamed() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 150, step: 9) {
            let test = try TreeNameTests()
            let killed = ProcessFileSystem(test.disk) { $0 == call ? .killed : .works }
            let transferred = Result {
                let boxes = try Self.boxes(on: killed)
                try boxes.child(.photos, of: 1)
                    .transfer([test.photo.id], to: boxes.child(.photos, of: 2))
            }
            let process = ProcessFileSystem(test.disk) { _, call in
                call == "open /store/One" ? .fails(.accessDenied) : .works
            }
            expectError(.accessDenied) {
                try Self.boxes(on: process).update(Box(id: 1, folderName: "Three"))
            }
            if !killed.isDead { _ = try transferred.get() }
            try test.expectIntact()
        }
    }

    /// A rename was killed before its commit.
    ///
    /// A process transfers from the folder with the new name,
    /// is stopped while recovery moves the folder back, goes on and is killed.
    @Test func recoveryOfARenameWaitsForATransfer() throws {
        let killed = ProcessFileSystem(disk) { _, call in
            call.hasPrefix("create") && call.hasSuffix(".tmp") ? .killed : .works
        }
        _ = try? Self.boxes(on: killed).update(Box(id: 1, folderName: "Three"))
        #expect(killed.isDead)
        let image = disk.image
        var transfers = 0
        // The first call opens the folder.
        var sweep = Sweep()
        for stop in sweep.numbers(below: 220, step: 6) where stop > 1 {
            for kill in [1, 8, 20, 40] {
                let disk = MemoryFileSystem(image)
                let process = ProcessFileSystem(disk) { call in
                    // The lock may be taken.
                    if call == stop { _ = try? Self.boxes(on: ProcessFileSystem(disk)) }
                    return call == stop + kill ? .killed : .works
                }
                let transfer = Result {
                    try Self.photos("/store/Three", on: process)
                        .transfer([photo.id], to: Self.photos("/store/Two", on: process))
                }
                if case .success = transfer { transfers += 1 }
                try TreeNameTests(disk, photo).expectIntact()
            }
        }
        #expect(transfers > 0 || TestSize.current == .sample)
    }

    private init(_ disk: MemoryFileSystem, _ photo: Photo) {
        self.disk = disk
        self.photo = photo
    }

    /// Stops the first of two calls before each of its calls of the file system: one makes an index,
    /// the other one a container with the name of the index's assets folder.
    @Test(arguments: Sweep.cases([true, false], sample: 1), Sweep.cases([true, false], sample: 1))
    func containerAndIndexNeverShareAFolder(_ isRename: Bool, _ indexIsFirst: Bool) throws {
        var (containers, indexes) = (0, 0)
        var sweep = Sweep()
        for stop in sweep.numbers(below: 150) {
            let test = try TreeNameTests()
            let disk = test.disk
            let makeIndex: @Sendable (any FileSystem) throws -> Void = {
                try Self.photos("/store", on: $0).insert(Data([2]))
            }
            let makeContainer: @Sendable (any FileSystem) throws -> Void = {
                let box = Box(id: isRename ? 2 : 3, folderName: "photos")
                let boxes = try Self.boxes(on: $0)
                if isRename { try boxes.update(box) } else { try boxes.append(box) }
            }
            let (first, second) =
                indexIsFirst ? (makeIndex, makeContainer) : (makeContainer, makeIndex)
            let interruption = Interruption()
            interruption.set { _ = try? second(ProcessFileSystem(disk)) }
            let process = ProcessFileSystem(disk) { call in
                if call == stop { interruption.run() }
                return .works
            }
            _ = try? first(process)
            let boxes = try test.boxes()
            let hasContainer = boxes.items.contains { $0.folderName == "photos" }
            let photos = try Self.photos("/store", on: ProcessFileSystem(disk))
            try photos.load()
            // If each sees the other, both are refused.
            #expect(!(hasContainer && photos.count > 0), "call \(stop)")
            containers += hasContainer ? 1 : 0
            indexes += photos.count
            #expect(try photos.verify().isEmpty)
            try test.expectIntact()
        }
        #expect(containers > 0 && indexes > 0 || TestSize.current == .sample)
    }
}
