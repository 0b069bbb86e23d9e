import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Folders that are mounts of the same volume, which have the same device: as on Linux, no file moves between two of
/// them, whether it exists or not, and no folder moves at which one is mounted.
@Suite(.timeLimit(.minutes(30))) struct MountTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// A process that sees mounts at `paths`; calls for which `ignores` is true work in spite of that.
    private func process(
        mounting paths: String...,
        ignoring ignores: @escaping @Sendable (String) -> Bool = { _ in false }
    ) -> ProcessFileSystem {
        let mounts = paths.map { sandbox.url($0).path }
        let files = LocalFileSystem()
        @Sendable func mount(of path: String) -> String? {
            mounts.filter { path.hasPrefix("\($0)/") }.max { $0.count < $1.count }
        }
        return ProcessFileSystem(files) { _, line in
            guard line.hasPrefix("rename "), !ignores(line) else { return .works }
            let ends = line.dropFirst("rename ".count).split(separator: " to ").map(String.init)
            guard ends.count == 2 else { return .works }
            if mount(of: ends[0]) != mount(of: ends[1]) { return .fails(.crossDevice) }
            let isThere = (try? files.statusOfFolder(at: ends[0], followingLink: false)) != nil
            return mounts.contains(ends[0]) && isThere ? .fails(.busy) : .works
        }
    }

    /// Whether a rename only asks whether files can move.
    private static func isQuestion(_ line: String) -> Bool {
        let names = line.split(separator: "/").map { $0.prefix { $0 != " " } }
        guard let last = names.last, last.count == 33, last.hasPrefix(".") else { return false }
        return names.count { $0 == last } == 2
    }

    private func boxes(
        _ path: String, on process: ProcessFileSystem, _ options: DirectoryOptions = .init()
    ) throws -> Directory<Box> {
        try Directory(at: sandbox.url(path), index: "boxes.json", options: options, on: process)
    }

    private func photos(
        _ path: String, on process: ProcessFileSystem, _ options: DirectoryOptions = .init()
    ) throws -> Directory<Photo> {
        try Directory(at: sandbox.url(path), index: "photos.json", options: options, on: process)
    }

    /// Fills `from` with two boxes, each with a note, and `to` with a third one.
    private func fill() throws {
        let boxes = try sandbox.boxes("from")
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        for id in [1, 2] { try boxes.child(.notes, of: id).append(.eggs) }
        try sandbox.boxes("to").append(Box(id: 3, folderName: "Three"))
    }

    /// Expects that `body` throws `code` and changes no file.
    private func expectRefusal(
        _ code: DirectoryError.Code, at location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let before = try sandbox.tree()
        expectError(code, sourceLocation: location, body)
        let after = try sandbox.tree()
        let changed = Set(before.keys).symmetricDifference(after.keys)
            .union(before.keys.filter { before[$0] != after[$0] })
            // The generation, and a part that does not count.
            .filter { !$0.hasSuffix(".lock") && !$0.hasSuffix(".journal") }
        #expect(changed.isEmpty, sourceLocation: location)
    }

    @Test(arguments: ["from", "to"]) func aTransferBetweenMountsBeginsNothing(_ mount: String)
        throws
    {
        try fill()
        let process = process(mounting: mount)
        let (from, to) = try (boxes("from", on: process), boxes("to", on: process))
        try from.load()
        try to.load()
        try expectRefusal(.crossVolume) { try from.transfer([1], to: to) }
        #expect(!process.log.contains { $0.hasSuffix(" prepared") })
        try from.append(Box(id: 7, folderName: "Seven"))
        try to.append(Box(id: 7, folderName: "Seven"))
        #expect(try from.notes(of: 1) == [.eggs])
        #expect(try from.verify() == [] && to.verify() == [])
    }

    /// Not every volume tells it before, for example if a folder is in a lower layer of overlayfs.
    @Test(arguments: ["from", "to"]) func aMoveThatDidNotHappenNeedsNoMoveBack(_ mount: String)
        throws
    {
        try fill()
        let process = process(mounting: mount, ignoring: Self.isQuestion)
        let (from, to) = try (boxes("from", on: process), boxes("to", on: process))
        try from.load()
        try to.load()
        try expectRefusal(.crossVolume) { try from.transfer([1, 2], to: to) }
        #expect(process.log.contains { $0.hasSuffix(" prepared") })
        try from.append(Box(id: 7, folderName: "Seven"))
        try to.append(Box(id: 7, folderName: "Seven"))
        #expect(try from.notes(of: 1) == [.eggs])
        #expect(try from.verify() == [] && to.verify() == [])
    }

    /// A process has died before it could move the folder or roll back.
    @Test func aWriteWithAMoveThatDidNotHappenIsEnded() throws {
        try fill()
        let dead = ProcessFileSystem(LocalFileSystem()) { _, line in
            line.hasPrefix("rename ") && line.hasSuffix("/to/One") ? .killed : .works
        }
        try? boxes("from", on: dead).transfer([1], to: boxes("to", on: dead))
        #expect(try CrashLeftovers(of: "boxes.json", in: "from", sandbox).isInJointWrite)
        try sandbox.buryOwners()
        let process = process(mounting: "to")
        let (from, to) = try (boxes("from", on: process), boxes("to", on: process))
        try from.load()
        #expect(from.items.map(\.id) == [1, 2])
        try from.append(Box(id: 7, folderName: "Seven"))
        try to.append(Box(id: 7, folderName: "Seven"))
        #expect(try from.repair() == [] && to.repair() == [])
        #expect(try from.notes(of: 1) == [.eggs])
        #expect(try sandbox.leftovers().isEmpty)
    }

    /// Something was mounted before the write was decided.
    @Test func aWriteWhoseFilesCannotMoveAnyMoreKeepsNobodyFromLoading() throws {
        try fill()
        let dead = ProcessFileSystem(LocalFileSystem()) { _, line in
            line.decidesTree ? .killed : .works
        }
        try? boxes("from", on: dead).transfer([1], to: boxes("to", on: dead))
        try sandbox.buryOwners()
        let process = process(mounting: "to")
        let (from, to) = try (boxes("from", on: process), boxes("to", on: process))
        try from.load()
        expectError(.unfinishedChange) { try from.append(Box(id: 7, folderName: "Seven")) }
        try from.repair()
        try to.repair()
        try from.append(Box(id: 7, folderName: "Seven"))
        try to.append(Box(id: 7, folderName: "Seven"))
        #expect(sandbox.exists("to/boxes.recovered/One/notes.json"))
    }

    @Test func aFileBetweenTwoMountsIsRefused() throws {
        let photo = try sandbox.photos("from").insert(Data([1]))
        try sandbox.photos("to").insert(Data([2]))
        for mount in ["from/photos", "to/photos", "to"] {
            let process = process(mounting: mount)
            let (from, to) = try (photos("from", on: process), photos("to", on: process))
            try from.load()
            try expectRefusal(.crossVolume) { try from.transfer([photo.id], to: to) }
            #expect(try from.data(of: photo.id) == Data([1]))
        }
    }

    @Test func aContainerAtWhichAVolumeIsMountedStaysAndTheOthersMove() throws {
        try fill()
        let process = process(mounting: "from/One")
        let (from, to) = try (boxes("from", on: process), boxes("to", on: process))
        try from.load()
        try expectRefusal(.crossVolume) { try from.transfer([2, 1], to: to) }
        for change in [
            { draft in try draft.update(id: 1) { $0.folderName = "Uno" } },
            { draft in try draft.remove(id: 1) },
            { draft in
                try draft.update(id: 1) { $0.folderName = "Two" }
                try draft.update(id: 2) { $0.folderName = "One" }
            },
        ] as [(inout Directory<Box>.Draft) throws -> Void] {
            try expectRefusal(.ioFailure) { try from.write(change) }
        }
        // Nothing of this moves.
        try from.write { draft in
            try draft.write(.notes, of: 1) { try $0.append(.milk) }
            try draft.write(.notes, of: 2) { try $0.append(.milk) }
        }
        #expect(try from.notes(of: 1) == [.eggs, .milk] && from.notes(of: 2) == [.eggs, .milk])
        try from.transfer([2], to: to)
        #expect(try to.notes(of: 2) == [.eggs, .milk])
        #expect(try from.verify() == [] && to.verify() == [])
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func aRestoringThatWouldReplaceAMountIsRefused() throws {
        try fill()
        try sandbox.boxes("from").copy(to: sandbox.url("copy"))
        try sandbox.boxes("from").child(.notes, of: 2).append(.milk)
        let process = process(mounting: "from/One")
        let from = try boxes("from", on: process)
        // One is the same in both, and stays.
        try from.restore(from: sandbox.url("copy"))
        #expect(try from.notes(of: 2) == [.eggs])
        try from.child(.notes, of: 1).append(.milk)
        try expectRefusal(.crossVolume) { try from.restore(from: sandbox.url("copy")) }
        try expectRefusal(.crossVolume) {
            try from.merge(from: sandbox.url("copy")) { _, _ in .takeTheirs }
        }
        #expect(try from.notes(of: 1) == [.eggs, .milk])
        #expect(try from.verify() == [])
    }

    @Test func filesAreNotImportedIntoAMount() throws {
        let first = try sandbox.photos("store").insert(Data([1]))
        let process = process(mounting: "store/photos")
        let photos = try photos("store", on: process)
        try photos.load()
        let source = try sandbox.write("text", to: "source")
        try expectRefusal(.crossVolume) { try photos.insert(Data([2])) }
        let stage = try photos.makeStage()
        try stage.move(source)
        expectError(.crossVolume) { try photos.insert(stage) }
        try stage.discard()
        #expect(sandbox.exists("source"))
        #expect(try photos.data(of: first.id) == Data([1]))
        #expect(try photos.verify() == [])
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func filesThatCannotBeKeptForDaysAreNotRemoved() throws {
        let photo = try sandbox.photos("store").insert(Data([1]))
        let process = process(mounting: "store/photos")
        let photos = try photos("store", on: process, DirectoryOptions(keepsRemoved: .days(3)))
        try photos.load()
        try expectRefusal(.crossVolume) { try photos.remove(id: photo.id) }
        #expect(try photos.data(of: photo.id) == Data([1]))
        #expect(try photos.verify() == [])
    }

    @Test func filesThatCannotBeKeptForAnUndoAreRemoved() throws {
        let photo = try sandbox.photos("store").insert(Data([1]))
        let process = process(mounting: "store/photos")
        let photos = try photos("store", on: process, DirectoryOptions(undoLimit: 3))
        try photos.load()
        try photos.remove(id: photo.id)
        #expect(!photos.canUndo)
        photos.core.background.wait()
        #expect(try photos.verify() == [])
        #expect(try sandbox.photos("store").verify() == [])
    }
}
