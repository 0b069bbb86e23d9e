import FileStore
import FileSystem
import Foundation
import Synchronization
import Testing

@Suite struct CancellationTests {
    @Test(arguments: StoreKind.allCases)
    func cancelledCallsDoNothing(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let store = test.store
        try await store.save("x", to: "a")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await store.list() }
            await #expect(throws: CancellationError.self) { try await store.totalSize() }
            await #expect(throws: CancellationError.self) { try await store.deleteAll() }
            await #expect(throws: CancellationError.self) { try await store.save("y", to: "a") }
        }
        await task.value
        #expect(try await store.text("a") == "x")
    }

    @Test func aListIsCancelledInTheMiddle() async throws {
        let (running, disk) = (Running<[StoredFile]>(), MemoryFileSystem())
        let root = URL(filePath: "/store")
        let whole = DiskFileStore(at: root, on: disk)
        for number in 0..<50 { try await whole.save("x", to: "\(number)") }
        let hooked = HookedFileSystem(disk) { call in
            if call.number == 10 { running.cancel() }
        }
        let task = running.start { try await DiskFileStore(at: root, on: hooked).list() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(hooked.callCount < 20)
    }

    @Test func aCopyIsCancelledInTheMiddleAndLeavesNothing() async throws {
        let (running, disk) = (Running<Void>(), MemoryFileSystem())
        let root = URL(filePath: "/store")
        try await DiskFileStore(at: root, on: disk).save(Data(count: 20 << 20), to: "large")
        let hooked = HookedFileSystem(disk, canClone: false) { call in
            if call.name == "copy" { running.cancel() }
        }
        let store = DiskFileStore(at: root, on: hooked)
        let task = running.start {
            try await store.copy(from: store.url(for: "large"), to: "copy")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let left = try disk.list(disk.openFolder(at: "/store"))
        #expect(left.map(\.string) == ["large"])
    }
}

/// A task that its own work can cancel.
private final class Running<Success: Sendable>: Sendable {
    private let task = Mutex<Task<Success, any Error>?>(nil)

    func start(_ work: @escaping @Sendable () async throws -> Success) -> Task<Success, any Error> {
        task.withLock { task in
            let new = Task { try await work() }
            task = new
            return new
        }
    }

    func cancel() { task.withLock { $0?.cancel() } }
}
