import FileStore
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

struct CancellationTests {
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

    @Test func listCanBeCancelledInTheMiddle() async throws {
        let (running, disk) = (SelfCancellingTask<[StoredFile]>(), MemoryFileSystem())
        let root = URL(filePath: "/store")
        let whole = DiskFileStore(at: root, on: disk)
        for number in 0..<50 { try await whole.save("x", to: "\(number)") }
        let process = ProcessFileSystem(disk) { number in
            if number == 10 { running.cancel() }
            return .works
        }
        let task = running.start { try await DiskFileStore(at: root, on: process).list() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(process.calls < 50)
    }

    @Test func cancelledCopyLeavesNothing() async throws {
        let (running, temporary) = (SelfCancellingTask<Void>(), try TemporaryFolder())
        let root = temporary.url.appending(path: "store")
        let source = temporary.url.appending(path: "source")
        try Data(count: 20 << 20).write(to: source)
        // On a volume that can clone, no bytes are copied.
        let calls = VolumeCalls(cloneAs: { _, _, _ in -1 }, cloneInto: { _, _ in -1 })
        let process = ProcessFileSystem(LocalFileSystem(calls: calls)) { _, call in
            if call.hasPrefix("copy ") { running.cancel() }
            return .works
        }
        let store = DiskFileStore(at: root, on: process)
        let task = running.start { try await store.copy(from: source, to: "copy") }
        let result = await task.result
        #expect(process.log.contains { $0.hasPrefix("copy ") })
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == [])
    }
}

/// A task that can be cancelled by its own work.
private final class SelfCancellingTask<Success: Sendable>: Sendable {
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
