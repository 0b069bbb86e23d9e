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
        on machine: String, _ fileSystem: any FileSystem = LocalFileSystem()
    ) throws -> Directory<Photo> {
        var options = DirectoryOptions()
        options.machine = machine
        return try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: options,
            on: ProcessFileSystem(fileSystem))
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
        var options = DirectoryOptions()
        options.machine = "aaaaaaaa"
        let first = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: options, on: process)
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
        let dies = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("create") && call.hasSuffix(".tmp") ? .killed : .works
        }
        var options = DirectoryOptions()
        options.machine = "aaaaaaaa"
        let first = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: options, on: dies)
        #expect(throws: (any Error).self) { try first.insert(Data([1])) }
        #expect(dies.isDead)
        let other = try photos(on: "bbbbbbbb")
        expectError(.locked) { try other.insert(Data([2])) }
        _ = try other.repair()
        try other.insert(Data([2]))
        #expect(try other.verify().isEmpty)
        try other.close()
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func ownUnfinishedChangeIsEndedAsBefore() throws {
        let dies = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("create") && call.hasSuffix(".tmp") ? .killed : .works
        }
        var options = DirectoryOptions()
        options.machine = "aaaaaaaa"
        let first = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: options, on: dies)
        #expect(throws: (any Error).self) { try first.insert(Data([1])) }
        let second = try photos(on: "aaaaaaaa")
        try second.insert(Data([2]))
        #expect(second.count == 1)
        #expect(try second.verify().isEmpty)
    }
}
