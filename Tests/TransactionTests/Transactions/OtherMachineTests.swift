import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Two machines on one folder, which a sync engine carries from one to the other without its locks.
struct OtherMachineTests {
    let sandbox: Sandbox
    private let interruption = Interruption()

    init() throws { sandbox = try Sandbox() }

    private func photos(
        on machine: String, _ process: ProcessFileSystem = .init(LocalFileSystem())
    ) throws -> Directory<Photo> {
        var options = DirectoryOptions()
        options.machine = machine
        return try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: options, on: process)
    }

    /// Kills an import on the machine "aaaaaaaa" between its moves and its commit.
    private func killImport() throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("create") && call.hasSuffix(".tmp") ? .killed : .works
        }
        let photos = try photos(on: "aaaaaaaa", process)
        #expect(throws: (any Error).self) { try photos.insert(Data([1])) }
        #expect(process.isDead)
    }

    /// The calls of the other machine do not meet the lock of this one.
    private func elsewhere(_ body: @escaping @Sendable (Directory<Photo>) throws -> Void) {
        interruption.set { [self] in
            try sandbox.move(".photos.lock", to: ".photos.lock of the first")
            let other = try photos(on: "bbbbbbbb")
            try body(other)
            try sandbox.remove(".photos.lock")
            try sandbox.move(".photos.lock of the first", to: ".photos.lock")
        }
    }

    @Test func importThatIsUnderWayIsNotRolledBack() throws {
        let process = interruption.process(beforeCall: "create", ".tmp")
        let first = try photos(on: "aaaaaaaa", process)
        elsewhere { other in
            try other.load()
            #expect(other.isEmpty)
            expectError(.locked) { try other.insert(Data([9])) }
            let findings = try other.verify().filter { $0.kind == .leftoverTransaction }
            #expect(findings.map { $0.message.contains("aaaaaaaa") } == [true])
        }
        let photo = try first.insert(Data([1]))
        #expect(interruption.hasRun)
        let other = try photos(on: "bbbbbbbb")
        try other.insert(Data([2]))
        #expect(try other.data(of: photo.id) == Data([1]))
        #expect(try other.verify().isEmpty)
    }

    @Test func repairEndsWhatAMachineBeganThatWillNotGoOn() throws {
        try killImport()
        let other = try photos(on: "bbbbbbbb")
        expectError(.locked) { try other.insert(Data([2])) }
        _ = try other.repair()
        try other.insert(Data([2]))
        #expect(try other.verify().isEmpty)
        try other.close()
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func removalThatIsUnderWayIsNotRolledBack() throws {
        let photo = try photos(on: "aaaaaaaa").insert(Data([1]))
        let process = interruption.process(beforeCall: "create", ".tmp")
        let first = try photos(on: "aaaaaaaa", process)
        elsewhere { other in
            try other.load()
            expectError(.locked) { try other.insert(Data([9])) }
        }
        try first.remove(id: photo.id)
        #expect(interruption.hasRun)
        try first.checkpoint()
        #expect(try photos(on: "bbbbbbbb").verify() == [])
    }

    @Test func repairRemovesWhatAMachineStagedAndKeptThatWillNotGoOn() throws {
        var options = DirectoryOptions(undoLimit: 3)
        options.machine = "aaaaaaaa"
        let first = try sandbox.photos(options: options)
        let photo = try first.insert(Data([1]))
        try first.remove(id: photo.id)
        try first.checkpoint()
        let stage = try first.makeStage()
        try stage.write(Data([2]))
        try sandbox.copy(".staging", to: "other/.staging")
        try sandbox.copy(".trash", to: "other/.trash")
        for path in ["photos.json", ".photos.lock"] {
            try sandbox.copy(path, to: "other/\(path)")
        }
        options.machine = "bbbbbbbb"
        let other = try sandbox.photos("other", options: options)
        let kinds = try other.verify().map(\.kind)
        #expect(Set(kinds) == [.leftoverStage, .leftoverTrash], "\(kinds)")
        _ = try other.repair()
        try other.checkpoint()
        #expect(try other.verify().isEmpty)
        #expect(try sandbox.leftovers("other").isEmpty)
    }

    @Test func ownUnfinishedChangeIsEndedAsBefore() throws {
        try killImport()
        let second = try photos(on: "aaaaaaaa")
        try second.insert(Data([2]))
        #expect(second.count == 1)
        #expect(try second.verify().isEmpty)
    }
}
