import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct MemoryVolumeFaultTests {
    let volume = MemoryVolume()
    let notes: Directory<Note>

    init() throws { notes = try Directory(at: volume.url, index: "notes.json") }

    private func append(_ ids: some Sequence<Int>) -> [DirectoryError.Code?] {
        ids.map { id in
            do {
                try notes.append(Note(id: id, title: ""))
                return nil
            } catch {
                return (error as? DirectoryError)?.code
            }
        }
    }

    @Test func nextChangeFailsAndTheOneAfterItWorks() throws {
        volume.fail(.noSpace)
        #expect(append(1...3) == [.noSpace, nil, nil])
        #expect(notes.items.map(\.id) == [2, 3])
    }

    @Test func thirdChangeFailsCountedFromNow() throws {
        try notes.append(.eggs)
        volume.fail(.readOnly, at: 3)
        volume.fail(.inDoubt, at: 4)
        #expect(append(2...6) == [nil, nil, .readOnly, .inDoubt, nil])
        #expect(notes.items.map(\.id) == [1, 2, 3, 6])
    }

    @Test func changesFailUntilTheyMayWorkAgain() throws {
        volume.fail(.accessDenied, at: 2...)
        #expect(append(1...4) == [nil, .accessDenied, .accessDenied, .accessDenied])
        volume.stopFailing()
        #expect(append(5...5) == [nil])
    }

    @Test func aFaultOfAChangeLeavesLoadsStagesAndCheckpointsAlone() throws {
        let photos = try Directory<Photo>(at: volume.url, index: "photos.json")
        volume.fail(.noSpace)
        try notes.load()
        let stage = try photos.makeStage()
        try stage.write(Data([1]))
        try photos.checkpoint()
        expectError(.noSpace) { try photos.insert(stage) }
        #expect(photos.isEmpty)
        #expect(try photos.insert(stage).count == 1)
        #expect(try photos.verify() == [])
    }

    @Test func failedChangeOfFoldersLeavesThemInPlace() throws {
        let boxes = try Directory<Box>(at: volume.url, index: "boxes.json")
        let other = try Directory<Box>(at: volume.url.appending(path: "to"), index: "boxes.json")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        volume.fail(.noSpace, at: 1...3)
        expectError(.noSpace) { try boxes.update(Box(id: 1, folderName: "Two")) }
        expectError(.noSpace) { try boxes.transfer([1], to: other) }
        expectError(.noSpace) { try boxes.remove(id: 1) }
        #expect(try boxes.verify() == [])
        try boxes.transfer([1], to: other)
        let notes = try other.child(.notes, of: 1)
        try notes.load()
        #expect(Array(notes.items) == [.eggs])
    }

    @Test(arguments: [DirectoryError.Code.noSpace, .locked, .inDoubt])
    func exactlyOneOfManyChangesFailsIfTheyAreCommittedTogether(_ code: DirectoryError.Code)
        async throws
    {
        volume.fail(code, at: 20)
        let failed = await withTaskGroup(of: DirectoryError.Code?.self) { group in
            for id in 1...64 {
                group.addTask { [notes] in
                    do {
                        try await notes.append(Note(id: id, title: ""))
                        return nil
                    } catch {
                        return (error as? DirectoryError)?.code
                    }
                }
            }
            return await group.reduce(into: []) { codes, next in codes += [next].compactMap(\.self)
            }
        }
        #expect(failed == [code])
        #expect(notes.count == 63)
    }

    @Test func aFailedChangeHasTheTextOfTheRealError() throws {
        volume.fail(.noSpace)
        let error = expectError(.noSpace) { try notes.append(.eggs) }
        #expect(
            error?.localizedDescription == "Cannot change “notes”: there is no space left.")
        #expect(error?.url == notes.url)
    }

    @Test func aLoadFailsAndTheNextOneWorks() throws {
        try notes.append(.eggs)
        volume.fail(.accessDenied, on: .load)
        let error = expectError(.accessDenied) { try notes.load() }
        #expect(error.map { notes.phase == .failed($0) } == true)
        try notes.load()
        #expect(notes.phase == .loaded)
        #expect(notes.items.map(\.id) == [1])
    }

    @Test func theSecondStagedFileFailsAndNothingIsImported() throws {
        let photos = try Directory<Photo>(at: volume.url, index: "photos.json")
        volume.fail(.noSpace, on: .staging, at: 2)
        try photos.insert(Data([1]))
        expectError(.noSpace) { try photos.insert([Data([2]), Data([3])]) }
        #expect(photos.count == 1)
        #expect(try photos.insert([Data([2]), Data([3])]).count == 2)
        #expect(try photos.verify() == [])
    }
}
