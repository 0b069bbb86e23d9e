import FileStore
import Foundation
import TestSupport
import Testing

struct ConcurrencyTests {
    /// Twenty kilobytes of one letter, so that a mixture of two versions is recognised.
    private func version(_ number: Int) -> Data {
        Data(repeating: UInt8(97 + number % 26), count: 20_000)
    }

    private func isWhole(_ found: Data) -> Bool {
        found == found.first.map { Data(repeating: $0, count: 20_000) }
    }

    @Test(arguments: StoreKind.allCases)
    func readersSeeWholeVersions(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let store = test.store
        try await store.save(version(0), to: "a/file")
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask { try await store.save(version(number), to: "a/file") }
                group.addTask {
                    let found = try await store.load("a/file")
                    #expect(isWhole(found))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.paths() == ["a", "a/file"])
    }

    @Test(arguments: StoreKind.allCases)
    func oneOfManySavesSucceedsWithoutOverwriting(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let store = test.store
        for round in 0..<10 {
            let path = "\(round)/file"
            let winners = await withTaskGroup { group in
                for number in 0..<26 {
                    group.addTask { () -> Int? in
                        do {
                            try await store.save(version(number), to: path, overwrite: false)
                            return number
                        } catch FileStoreError.fileAlreadyExists(path) {
                            return nil
                        } catch {
                            Issue.record(error)
                            return nil
                        }
                    }
                }
                return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(winners.count == 1)
            #expect(try await store.load(path) == version(try #require(winners.first)))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func saveSucceedsWhileItsFolderIsDeleted(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let store = test.store
        try await withThrowingTaskGroup { group in
            for number in 0..<60 {
                group.addTask { try await store.save(version(number), to: "a/b/\(number)") }
                group.addTask {
                    do {
                        try await store.deleteDirectory("a")
                    } catch FileStoreError.fileNotFound {
                        // Another task deleted it first.
                    }
                }
                if number % 10 == 0 { group.addTask { try await store.deleteAll() } }
                group.addTask { _ = try await store.list(recursive: true) }
                group.addTask { _ = try await store.totalSize() }
            }
            try await group.waitForAll()
        }
        for file in try await store.list(recursive: true) where !file.isDirectory {
            #expect(isWhole(try await store.load(file.relativePath)))
        }
        try await store.deleteAll()
        #expect(try await store.paths() == [])
    }

    @Test(arguments: Sweep.cases(StoreKind.allCases, sample: 1))
    func manyFilesCanBeSavedAtOnce(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let store = test.store
        try await withThrowingTaskGroup { group in
            for number in 0..<500 {
                group.addTask { try await store.save("x", to: "\(number % 7)/\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try await store.totalSize() == 500)
    }
}
