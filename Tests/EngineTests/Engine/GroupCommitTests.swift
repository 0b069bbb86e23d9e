import FileSystem
import Foundation
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
        measures.core.commits.queue.suspend()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<64 { group.addTask { try await measures.append(Measure(id: id)) } }
            while measures.core.commits.pendingCount < 64 { await Task.yield() }
            measures.core.commits.queue.resume()
            try await group.waitForAll()
        }
        let syncs = process.log.count { $0.hasPrefix("sync") } - before
        #expect((1..<64).contains(syncs))
        #expect(Set(measures.items.map(\.id)) == Set(0..<64).union([1_000]))
        let other = try self.measures(on: ProcessFileSystem(disk))
        try await other.load()
        #expect(Array(other.items) == Array(measures.items))
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
