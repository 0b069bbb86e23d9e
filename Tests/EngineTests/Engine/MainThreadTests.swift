import DirectoryTestSupport
import Dispatch
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What is said on the main thread.
struct MainThreadTests {
    @Test func whatIsSaidOnTheMainThreadIsSaidAtOnce() {
        let isSaid = Atomic(false)
        MainThread.run(isHere: true) { isSaid.store(true, ordering: .relaxed) }
        let wasSaid = isSaid.load(ordering: .relaxed)
        #expect(wasSaid)
    }

    @Test func whatIsSaidOnAnotherThreadIsSaidOnTheMainThreadLater() async {
        let main = DispatchQueue(label: "main")
        main.suspend()
        let isReady = Atomic(false)
        let wasReady = await withCheckedContinuation { continuation in
            MainThread.run(isHere: false, on: main) {
                continuation.resume(returning: isReady.load(ordering: .sequentiallyConsistent))
            }
            // If the call waited, it would not come this far.
            isReady.store(true, ordering: .sequentiallyConsistent)
            main.resume()
        }
        #expect(wasReady)
    }

    @Test func errorOfAnAsynchronousFetchIsHandedOverOnTheMainThread() async throws {
        let disk = try NotesDisk()
        try disk.write(Array("[".utf8), to: "notes.json")
        let notes = try disk.notes(on: ProcessFileSystem(disk.disk))
        #if !canImport(Darwin)
            // Tests on Linux give up the main thread, and other threads do the work of its queue.
            let mark = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: mark, value: true)
        #endif
        let isMain = await withCheckedContinuation { continuation in
            notes.fetch(.async(.global())) { _ in
                #if canImport(Darwin)
                    continuation.resume(returning: Thread.isMainThread)
                #else
                    continuation.resume(returning: DispatchQueue.getSpecific(key: mark) == true)
                #endif
            }
        }
        #expect(isMain)
    }
}
