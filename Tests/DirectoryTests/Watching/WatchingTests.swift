import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What `watch()` shows of the changes of other processes.
struct WatchingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Calls `body` while `directory` is watched, and once it shows what is on disk.
    private func watching<Item>(
        _ directory: Directory<Item>, _ body: () async throws -> Void
    ) async throws {
        let watching = Task { await directory.watch() }
        #expect(await eventually { directory.phase == .loaded })
        try await body()
        watching.cancel()
        await watching.value
    }

    @Test func commitsAndCheckpointsOfAnotherProcessAreSeen() async throws {
        let (notes, others) = (try sandbox.journaledNotes(), try sandbox.journaledNotes())
        try await others.append(.eggs)
        try await watching(notes) {
            try await others.append(.milk)
            #expect(await eventually { Array(notes.items) == [.eggs, .milk] })
            try await others.remove(id: Note.eggs.id)
            #expect(await eventually { Array(notes.items) == [.milk] })
            try await others.checkpoint()
            try await others.append(.eggs)
            #expect(await eventually { Array(notes.items) == [.milk, .eggs] })
        }
    }

    @Test func anIndexThatAnEditorReplacesIsSeen() async throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try sandbox.write(#"[{"id": 1, "title": "a"}]"#, to: "notes.json")
        try await watching(notes) {
            try sandbox.write(#"[{"id": 1, "title": "b"}]"#, to: "notes.json~")
            try sandbox.remove("notes.json")
            try sandbox.move("notes.json~", to: "notes.json")
            #expect(await eventually { notes.items.map(\.title) == ["b"] })
            try sandbox.write(#"[{"id": 1, "title": "c"}]"#, to: "notes.json")
            #expect(await eventually { notes.items.map(\.title) == ["c"] })
        }
    }

    @Test func aFolderThatIsMadeLaterIsSeen() async throws {
        let notes = try Directory<Note>(at: sandbox.url("a/b/c"), index: "notes.json")
        try await watching(notes) {
            try sandbox.makeFolder("a")
            try sandbox.makeFolder("a/other")
            try await sandbox.journaledNotes("a/b/c").append(.eggs)
            #expect(await eventually { Array(notes.items) == [.eggs] })
            try await sandbox.journaledNotes("a/b/c").append(.milk)
            #expect(await eventually { Array(notes.items) == [.eggs, .milk] })
        }
    }

    @Test func aLinkInThePathThatLeadsElsewhereIsSeen() async throws {
        try await sandbox.journaledNotes("first").append(.eggs)
        try await sandbox.journaledNotes("second").append(.milk)
        try sandbox.makeSymbolicLink("current", to: sandbox.url("first"))
        let notes = try Directory<Note>(at: sandbox.url("current"), index: "notes.json")
        try await watching(notes) {
            try sandbox.remove("current")
            try sandbox.makeSymbolicLink("current", to: sandbox.url("second"))
            #expect(await eventually { notes.phase.code == .containerRemoved })
            #expect(Array(notes.items) == [.eggs])
        }
    }

    @Test func aDamagedIndexIsToldOnceForEachDamage() async throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try sandbox.write(#"[{"id": 1, "title": "a"}]"#, to: "notes.json")
        let errors = Mutex<[DirectoryError.Code]>([])
        let watching = Task {
            await notes.watch { error in errors.withLock { $0.append(error.code) } }
        }
        #expect(await eventually { notes.phase == .loaded })
        for (text, count) in [
            ("[{", 1), (#"[{"id": 1, "title": "b"}]"#, 1), (#"[{"id": null}]"#, 2),
        ] {
            try sandbox.write(text, to: "notes.json")
            #expect(
                await eventually {
                    (notes.phase == .loaded) == text.contains("b")
                        && errors.withLock { $0.count } == count
                })
        }
        #expect(errors.withLock { $0 } == [.damagedIndex, .undecodable])
        watching.cancel()
        await watching.value
    }

    @Test(arguments: ["a/b", "a"])
    func aFolderThatIsRenamedIsAFailureUntilItIsBack(_ moved: String) async throws {
        try await sandbox.journaledNotes("a/b").append(.eggs)
        let notes = try Directory<Note>(at: sandbox.url("a/b"), index: "notes.json")
        try await watching(notes) {
            try sandbox.move(moved, to: "elsewhere")
            #expect(await eventually { notes.phase.code == .containerRemoved })
            try sandbox.move("elsewhere", to: moved)
            #expect(await eventually { notes.phase == .loaded })
            try await sandbox.journaledNotes("a/b").append(.milk)
            #expect(await eventually { Array(notes.items) == [.eggs, .milk] })
        }
    }

    @Test func aFolderThatIsMadeAgainIsSeenByANewValue() async throws {
        try await sandbox.journaledNotes("a").append(.eggs)
        let notes = try Directory<Note>(at: sandbox.url("a"), index: "notes.json")
        try await watching(notes) {
            try sandbox.remove("a")
            #expect(await eventually { notes.phase.code == .containerRemoved })
            try await sandbox.journaledNotes("a").append(.milk)
            let new = try Directory<Note>(at: sandbox.url("a"), index: "notes.json")
            try await watching(new) {
                try await sandbox.journaledNotes("a").append(.eggs)
                #expect(await eventually { Array(new.items) == [.milk, .eggs] })
            }
            #expect(notes.phase.code == .containerRemoved)
        }
    }

    @Test func aContainerThatAnotherProcessRenamesIsFollowed() async throws {
        let boxes = try sandbox.twoBoxes()
        let others = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", on: ProcessFileSystem(LocalFileSystem()))
        let notes = try await boxes.child(.notes, of: 1)
        try await watching(notes) {
            try await others.update(id: 1) { $0.folderName = "Uno" }
            #expect(await eventually { notes.url.path.contains("/Uno/") })
            try await others.child(.notes, of: 1).append(.milk)
            #expect(await eventually { Array(notes.items) == [.eggs, .milk] })
            #expect(notes.phase == .loaded)
        }
    }

    @Test func aContainerAboveThatAnotherProcessRenamesIsFollowed() async throws {
        let boxes = try sandbox.boxes()
        try await boxes.append(Box(id: 1, folderName: "One"))
        let inner = try await boxes.child(.parts, of: 1)
        try await inner.append(Box(id: 2, folderName: "Two"))
        let notes = try await inner.child(.notes, of: 2)
        try await notes.append(.eggs)
        let others = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", on: ProcessFileSystem(LocalFileSystem()))
        try await watching(notes) {
            try await others.update(id: 1) { $0.folderName = "Uno" }
            #expect(await eventually { notes.url.path.contains("/Uno/Two/") })
            try await others.child(.parts, of: 1).child(.notes, of: 2).append(.milk)
            #expect(await eventually { Array(notes.items) == [.eggs, .milk] })
        }
    }

    @Test func aLoadThatFailsIsTriedAgain() async throws {
        try await sandbox.journaledNotes().append(.eggs)
        let failures = Atomic(1)
        let files = ProcessFileSystem(LocalFileSystem()) { _, call in
            let fails =
                call.hasPrefix("open ") && call.hasSuffix("/notes.json")
                && failures.load(ordering: .relaxed) > 0
            return fails ? .fails(.accessDenied) : .works
        }
        let notes = try sandbox.journaledNotes(on: files)
        let watching = Task { await notes.watch() }
        #expect(await eventually { notes.phase.code == .accessDenied })
        failures.store(0, ordering: .relaxed)
        #expect(await eventually { notes.phase == .loaded })
        watching.cancel()
    }

    @Test func withoutEventsChangesAreStillSeenAndThatIsReportedOnce() async throws {
        let files = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("watch ") ? .fails(.noSpace) : .works
        }
        let notes = try sandbox.journaledNotes(on: files)
        let codes = Mutex<[DirectoryError.Code]>([])
        let watching = Task {
            await notes.watch { error in codes.withLock { $0.append(error.code) } }
        }
        for (count, note) in [Note.eggs, .milk].enumerated() {
            try await sandbox.journaledNotes().append(note)
            #expect(await eventually { notes.count == count + 1 })
        }
        #expect(await eventually { codes.withLock { $0 } == [.unwatchable] })
        watching.cancel()
        await watching.value
    }
}

extension DirectoryPhase {
    fileprivate var code: DirectoryError.Code? {
        if case .failed(let error) = self { error.code } else { nil }
    }
}
