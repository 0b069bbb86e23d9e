import Dispatch
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What is said on the main thread.
@Suite struct MainThreadTests {
    private static let mark = DispatchSpecificKey<Bool>()

    @Test func whatIsSaidOnTheMainThreadIsSaidAtOnce() {
        let isSaid = Atomic(false)
        MainThread.run(isHere: true) { isSaid.store(true, ordering: .relaxed) }
        let wasSaid = isSaid.load(ordering: .relaxed)
        #expect(wasSaid)
    }

    @Test func whatIsSaidOnAnotherThreadIsSaidOnTheMainThreadLater() async {
        let main = DispatchQueue(label: "main")
        main.setSpecific(key: Self.mark, value: true)
        main.suspend()
        let isMain = await withCheckedContinuation { continuation in
            MainThread.run(isHere: false, on: main) {
                continuation.resume(returning: DispatchQueue.getSpecific(key: Self.mark))
            }
            // If the call waited, or did it here, it would not come this far, or say nil.
            main.resume()
        }
        #expect(isMain == true)
    }

    @Test func errorOfAnAsynchronousFetchIsHandedOverOnTheMainThread() async throws {
        DispatchQueue.main.setSpecific(key: Self.mark, value: true)
        let disk = try NotesDisk()
        try disk.write(Array("[".utf8), to: "notes.json")
        let notes = try disk.notes(on: ProcessFileSystem(disk.disk))
        let isMain = await withCheckedContinuation { continuation in
            notes.fetch(.async(.global())) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: Self.mark))
            }
        }
        #expect(isMain == true)
    }
}
