import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What watching costs this process, and when it ends.
struct WatcherTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func eventsDuringALookAskForOneMore() {
        let watcher = Watcher()
        #expect(!watcher.isFirstToAsk(), "nobody follows")
        let (_, follower) = AsyncStream.makeStream(of: DirectoryError.self)
        let number = watcher.add(follower)
        #expect(watcher.isFirstToAsk())
        #expect(!watcher.isFirstToAsk())
        #expect(watcher.beginLook() == (true, true))
        #expect(watcher.isFirstToAsk())
        #expect(!watcher.isFirstToAsk(afterMove: true))
        #expect(watcher.beginLook() == (true, true))
        #expect(watcher.isFirstToAsk())
        #expect(watcher.beginLook() == (true, false))
        watcher.remove(number)
        #expect(!watcher.isFirstToAsk())
    }

    @Test func ownCommitsReadNoFileAgain() async throws {
        let files = ProcessFileSystem(LocalFileSystem())
        let notes = try sandbox.journaledNotes(on: files)
        for id in 1...3 { try await notes.append(Note(id: id, title: "a")) }
        let watching = Task { await notes.watch() }
        #expect(await eventually { files.log.contains { $0.hasPrefix("watch ") } })
        try await notes.load()
        let before = files.calls
        try await notes.append(Note(id: 4, title: "a"))
        // The commit reads the lock file, and the look that its event asks for does so again.
        #expect(
            await eventually {
                files.log[before...].count { $0.hasPrefix("read") && $0.hasSuffix(".lock") } > 1
            })
        // This begins when the look is over.
        try await notes.load()
        let after = files.log[before...]
        #expect(after.filter { $0.hasPrefix("open") && $0.hasSuffix(".json") } == [])
        // Of the journal, each of them reads no more than where it ends.
        #expect(
            after.count { $0.hasPrefix("read") && $0.hasSuffix(".journal") }
                <= after.count { $0.hasPrefix("read") && $0.hasSuffix(".lock") })
        watching.cancel()
        await watching.value
    }

    @Test func watchInAMemoryVolumeLoadsAndWaitsForItsEnd() async throws {
        let volume = MemoryVolume()
        let notes = try Directory<Note>(at: volume.url, index: "notes.json")
        try await notes.append(.eggs)
        try await notes.close()
        let again = try Directory<Note>(at: volume.url, index: "notes.json")
        let cancelled = Task { await again.watch() }
        let closed = Task { await again.watch() }
        #expect(await eventually { again.count == 1 })
        cancelled.cancel()
        await cancelled.value
        try await again.close()
        await closed.value
        #expect(again.phase == .loaded)
    }

    #if os(Linux)
        @Test func allWatchesOfOneIndexShareWhatTheyNeedUntilTheLastOneEnds() async throws {
            let notes = try sandbox.journaledNotes(on: LocalFileSystem())
            try await notes.append(.eggs)
            let inode = try #require(sandbox.status("")?.identity.inode)
            let watches = (1...10).map { _ in Task { await notes.watch() } }
            #expect(try await eventually { try inotifyWatches(of: inode) == 1 })
            for watch in watches.dropLast() {
                watch.cancel()
                await watch.value
            }
            #expect(try inotifyWatches(of: inode) == 1)
            try await sandbox.journaledNotes().append(.milk)
            #expect(await eventually { notes.count == 2 })
            watches[9].cancel()
            await watches[9].value
            #expect(try inotifyWatches(of: inode) == 0)
        }

        /// The number of inotify watches of this process on the folder with `inode`: proc(5).
        private func inotifyWatches(of inode: UInt64) throws -> Int {
            let folder = "/proc/self/fdinfo"
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
                .flatMap { $0.split(separator: "\n") }
                .filter { $0.hasPrefix("inotify ") }
                .filter { $0.contains(" ino:\(String(inode, radix: 16)) ") }
                .count
        }
    #endif
}
