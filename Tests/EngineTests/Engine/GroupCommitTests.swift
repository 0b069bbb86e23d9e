import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Changes of many tasks that share one commit.
struct GroupCommitTests {
    struct Measure: Codable, Identifiable, Sendable, Equatable {
        var id: Int
        var value = 1.0
    }

    let disk = MemoryFileSystem()

    private func measures(on fileSystem: any FileSystem) throws -> Directory<Measure> {
        try Directory(at: URL(filePath: "/store"), index: "measures.json", on: fileSystem)
    }

    @Test func changesOfOneCommitShareTheirSyncs() async throws {
        let process = ProcessFileSystem(disk)
        let measures = try measures(on: process)
        try await measures.append(Measure(id: 1_000))
        let before = process.log.count { $0.hasPrefix("sync") }
        try await measures.changeTogether(
            (0..<64).map { id in { try await measures.append(Measure(id: id)) } })
        let syncs = process.log.count { $0.hasPrefix("sync") } - before
        #expect((1..<64).contains(syncs))
        #expect(Set(measures.items.map(\.id)) == Set(0..<64).union([1_000]))
        let other = try self.measures(on: ProcessFileSystem(disk))
        try await other.load()
        #expect(Array(other.items) == Array(measures.items))
    }

    /// The lock of the child is taken, for which only the change that needs it waits.
    @Test func changesDoNotWaitForACollectionThatAnotherOneReachesInto() async throws {
        func boxes() throws -> Directory<Box> {
            var options = DirectoryOptions()
            options.lockTimeout = .milliseconds(300)
            return try Directory(
                at: URL(filePath: "/store"), index: "boxes.json", options: options,
                on: ProcessFileSystem(disk))
        }
        let boxes = try boxes()
        try await boxes.append(Box(id: 1, folderName: "One"))
        try await boxes.child(.notes, of: 1).append(.eggs)
        let folder = try disk.openFolder(at: "/store/One")
        let lock = try disk.openFile(".notes.lock", in: folder, for: .update)
        #expect(try disk.tryLock(lock))
        boxes.core.commits.queue.suspend()
        let codes = await withTaskGroup(of: DirectoryError.Code?.self) { group in
            group.addTask {
                do {
                    try await boxes.write { draft in
                        try draft.write(.notes, of: 1) { try $0.append(.milk) }
                    }
                    return nil
                } catch { return (error as? DirectoryError)?.code }
            }
            for id in 2..<8 {
                group.addTask {
                    do {
                        try await boxes.append(Box(id: id, folderName: "\(id)"))
                        return nil
                    } catch { return (error as? DirectoryError)?.code }
                }
            }
            while boxes.core.commits.pendingCount < 7 { await Task.yield() }
            boxes.core.commits.queue.resume()
            return await group.reduce(into: []) { $0.append($1) }
        }
        withExtendedLifetime(lock) {}
        #expect(codes.compactMap(\.self) == [.locked])
        #expect(Set(boxes.items.map(\.id)) == Set(1..<8))
    }

    @Test func failedChangeFailsAlone() async throws {
        let measures = try measures(on: ProcessFileSystem(disk))
        try await measures.append(Measure(id: 7))
        let errors = await withTaskGroup(of: (Int, DirectoryError.Code?).self) { group in
            for id in 0..<64 {
                group.addTask {
                    do {
                        // Id 7 is taken, and the value of id 9 cannot be encoded.
                        try await measures.append(Measure(id: id, value: id == 9 ? .nan : 1))
                        return (id, nil)
                    } catch {
                        return (id, (error as? DirectoryError)?.code)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(errors == [7: .duplicateID, 9: .unencodable])
        #expect(Set(measures.items.map(\.id)) == Set(0..<64).subtracting([9]))
    }

    @Test func writeThatThrowsChangesNothing() async throws {
        struct Refused: Error {}
        let measures = try measures(on: ProcessFileSystem(disk))
        try await measures.append(Measure(id: 1_000))
        await withTaskGroup(of: Void.self) { group in
            for id in 0..<64 {
                group.addTask {
                    _ = try? await measures.write { draft in
                        try draft.append(Measure(id: id))
                        try draft.append(Measure(id: id + 100))
                        if id.isMultiple(of: 2) { throw Refused() }
                    }
                }
            }
        }
        let odd = Set(0..<64).filter { !$0.isMultiple(of: 2) }
        #expect(
            Set(measures.items.map(\.id)) == odd.union(odd.map { $0 + 100 }).union([1_000]))
    }

    @Test func eachCallReturnsItsOwnValue() async throws {
        let measures = try measures(on: ProcessFileSystem(disk))
        try await measures.load()
        let values = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for id in 0..<64 {
                group.addTask {
                    let value = try await measures.write { draft in
                        try draft.append(Measure(id: id))
                        return id * id
                    }
                    return (id, value)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(values == Dictionary(uniqueKeysWithValues: (0..<64).map { ($0, $0 * $0) }))
    }
}
