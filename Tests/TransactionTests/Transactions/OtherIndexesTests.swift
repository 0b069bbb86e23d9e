import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// When a folder is listed to see whether another collection owns a name in it.
struct OtherIndexesTests {
    let sandbox: Sandbox
    let process = ProcessFileSystem(LocalFileSystem())
    /// Has listed the folder, and was alone.
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try Directory(at: sandbox.url, index: "boxes.json", on: process)
        try boxes.append(Box(id: 0, folderName: "Zero"))
    }

    private var listings: Int {
        let path = sandbox.url.path(percentEncoded: false)
        return process.log.count { $0 == "list \(path)" }
    }

    private func photos(on files: any FileSystem = ProcessFileSystem(LocalFileSystem())) throws
        -> Directory<Photo>
    {
        try Directory(at: sandbox.url, index: "photos.json", on: files)
    }

    @Test func aFolderWithOneIndexIsListedOnce() throws {
        let before = listings
        #expect(before > 0)
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.update(id: 1) { $0.folderName = "Other" }
        try boxes.write { draft in
            try draft.append(Box(id: 2, folderName: "Two"))
            try draft.write(.notes, of: 2) { try $0.append(.eggs) }
        }
        try boxes.remove(id: 0)
        #expect(listings == before, "\(process.log.filter { $0.hasPrefix("list") })")
    }

    /// Its names are compared without case, so that no file with a certain name tells of it.
    @Test func anIndexThatIsMadeMeanwhileIsNoticed() throws {
        try photos().insert(Data([1]))
        let before = listings
        expectError(.nameTaken) { try boxes.append(Box(id: 1, folderName: "PHOTOS")) }
        try boxes.append(Box(id: 2, folderName: "Two"))
        #expect(listings > before)
    }

    @Test func anIndexIsNoticedIfItsProcessDiedBeforeItSaidSo() throws {
        let lock = sandbox.url(".boxes.lock").path
        let killed = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("write \(lock)") ? .killed : .works
        }
        #expect(throws: (any Error).self) { try photos(on: killed).insert(Data([1])) }
        #expect(killed.isDead && sandbox.status(".photos.lock")?.size == 0)
        try photos().insert(Data([2]))
        expectError(.nameTaken) { try boxes.append(Box(id: 1, folderName: "PHOTOS")) }
    }

    @Test func anIndexWhoseLockFileWasDeletedIsToldOfOthersAgain() throws {
        try photos().insert(Data([1]))
        try FileManager.default.removeItem(at: sandbox.url(".boxes.lock"))
        let other = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", on: ProcessFileSystem(LocalFileSystem()))
        expectError(.nameTaken) { try other.append(Box(id: 1, folderName: "PHOTOS")) }
        expectError(.nameTaken) { try boxes.append(Box(id: 1, folderName: "PHOTOS")) }
    }

    /// The process that uses the other index may not be able to write to this lock file.
    @Test(arguments: [0o770, 0o757]) func aFolderOfManyWritersIsListedEachTime(_ mode: Int) throws {
        try setMode(mode)
        let before = listings
        for id in 1...3 { try boxes.append(Box(id: id, folderName: "\(id)")) }
        #expect(listings >= before + 3)
    }

    /// Meanwhile a collection was made that could not say so.
    @Test func aFolderThatHadManyWritersIsListedAgain() throws {
        let lock = sandbox.url(".boxes.lock").path
        let refused = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("open") && call.contains(lock) ? .fails(.accessDenied) : .works
        }
        try setMode(0o770)
        try boxes.append(Box(id: 1, folderName: "One"))
        try photos(on: refused).insert(Data([1]))
        try setMode(0o700)
        expectError(.nameTaken) { try boxes.append(Box(id: 2, folderName: "PHOTOS")) }
    }

    private func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: sandbox.url.path)
    }

    @Test func aLockFileWithTwoNamesRefusesTheNewIndex() throws {
        try FileManager.default.linkItem(
            at: sandbox.url(".boxes.lock"), to: sandbox.url("backup"))
        let before = try Data(contentsOf: sandbox.url("backup"))
        expectError(.ioFailure) { try photos().insert(Data([1])) }
        #expect(try Data(contentsOf: sandbox.url("backup")) == before)
        let listed = listings
        expectError(.ioFailure) { try boxes.append(Box(id: 1, folderName: "One")) }
        #expect(listings > listed)
    }

    @Test func filesOfOtherProgramsAreLeftAlone() throws {
        try sandbox.write("4711", to: ".other.lock")
        try sandbox.makeFolder(".folder.lock")
        try FileManager.default.createSymbolicLink(
            at: sandbox.url(".link.lock"), withDestinationURL: sandbox.url("missing"))
        try photos().insert(Data([1]))
        #expect(try sandbox.text(".other.lock") == "4711")
    }

    /// Its process has not synced the folder yet, and does so only before the first use.
    @Test func aLockFileThatWasNotUsedYetIsNotMarked() throws {
        try sandbox.write("", to: ".notes.lock")
        try photos().insert(Data([1]))
        #expect(sandbox.status(".notes.lock")?.size == 0)
        #expect(sandbox.status(".boxes.lock")?.size == 1024)
    }

    @Test func noContainerGetsTheNameOfAnIndexThatWasCopiedHere() throws {
        try sandbox.write("[]", to: "photos.json")
        expectError(.nameTaken) { try boxes.append(Box(id: 1, folderName: "photos")) }
    }

    @Test func aLockFileThatCannotBeWrittenToRefusesTheNewIndex() throws {
        let lock = sandbox.url(".boxes.lock").path
        let refused = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("write \(lock)") ? .fails(.accessDenied) : .works
        }
        let before = try sandbox.tree().filter { $0.key != ".photos.lock" }
        let error = #expect(throws: DirectoryError.self) {
            try photos(on: refused).insert(Data([1]))
        }
        #expect(error.map { "\($0)" }?.contains(".boxes.lock") == true)
        #expect(try sandbox.tree().filter { $0.key != ".photos.lock" } == before)
        try setMode(0o770)
        try photos(on: refused).insert(Data([1]))
        expectError(.nameTaken) { try boxes.append(Box(id: 1, folderName: "PHOTOS")) }
    }

    /// At each call of the other process, this one makes a container with the name of the other's folder of assets.
    @Test func neverDoTwoOwnOneName() throws {
        var number = 0
        while true {
            let test = try OtherIndexesTests()
            let wasTaken = Mutex<Bool?>(nil)
            let (boxes, last) = (test.boxes, number)
            let other = ProcessFileSystem(LocalFileSystem()) { call, _ in
                if call == last {
                    let taken = (try? boxes.append(Box(id: 1, folderName: "photos"))) == nil
                    wasTaken.withLock { $0 = taken }
                }
                return .works
            }
            let photos = try test.photos(on: other)
            let isIn = (try? photos.insert(Data([1]))) != nil
            guard let taken = wasTaken.withLock({ $0 }) else { break }
            #expect(taken == isIn, "call \(last): \(other.log.last ?? "")")
            number += 1
        }
        #expect(number > 30)
    }
}
